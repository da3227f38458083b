package io.carlos.model.guest;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What of a protocol changed in a way that one side notices when the other has the older version. */
final class WireBreaks {
    private final List<String> breaks = new ArrayList<>();

    private WireBreaks() {}

    /** One sentence each; empty when the protocol stayed as it was or only grew. */
    static List<String> between(FileDescriptorProto before, FileDescriptorProto now) {
        WireBreaks found = new WireBreaks();
        found.compare("the file's package", before.getPackage(), now.getPackage());
        found.messages(before.getPackage(), before.getMessageTypeList(), now.getMessageTypeList());
        found.services(before.getServiceList(), now.getServiceList());
        return found.breaks;
    }

    private void messages(String scope, List<DescriptorProto> before, List<DescriptorProto> now) {
        Map<String, DescriptorProto> byName = index(now, DescriptorProto::getName);
        for (DescriptorProto message : before) {
            String name = scope + "." + message.getName();
            DescriptorProto kept = byName.get(message.getName());
            if (kept == null) {
                breaks.add("message " + name + " is gone");
            } else {
                fields(name, message, kept);
                messages(name, message.getNestedTypeList(), kept.getNestedTypeList());
            }
        }
    }

    private void fields(String message, DescriptorProto before, DescriptorProto now) {
        Map<Integer, FieldDescriptorProto> byNumber = index(now.getFieldList(), FieldDescriptorProto::getNumber);
        for (FieldDescriptorProto field : before.getFieldList()) {
            String name = message + "." + field.getName() + " = " + field.getNumber();
            FieldDescriptorProto kept = byNumber.get(field.getNumber());
            if (kept == null) {
                breaks.add("field " + name + " is gone");
            } else {
                compare("the name of field " + name, field.getName(), kept.getName());
                compare("the type of field " + name, type(field), type(kept));
                compare("the label of field " + name, field.getLabel(), kept.getLabel());
                compare("the presence of field " + name, field.getProto3Optional(), kept.getProto3Optional());
                compare("the oneof of field " + name, oneof(before, field), oneof(now, kept));
            }
        }
    }

    private void services(List<ServiceDescriptorProto> before, List<ServiceDescriptorProto> now) {
        Map<String, ServiceDescriptorProto> byName = index(now, ServiceDescriptorProto::getName);
        for (ServiceDescriptorProto service : before) {
            ServiceDescriptorProto kept = byName.get(service.getName());
            if (kept == null) {
                breaks.add("service " + service.getName() + " is gone");
                continue;
            }
            Map<String, MethodDescriptorProto> methods = index(kept.getMethodList(), MethodDescriptorProto::getName);
            for (MethodDescriptorProto method : service.getMethodList()) {
                String name = "rpc " + service.getName() + "." + method.getName();
                MethodDescriptorProto keptMethod = methods.get(method.getName());
                if (keptMethod == null) {
                    breaks.add(name + " is gone");
                } else {
                    compare(name, signature(method), signature(keptMethod));
                }
            }
        }
    }

    private void compare(String what, Object before, Object now) {
        if (!before.equals(now)) {
            breaks.add(what + " was \"" + before + "\" and is \"" + now + "\"");
        }
    }

    private static String type(FieldDescriptorProto field) {
        return field.getType() + " " + field.getTypeName();
    }

    private static String oneof(DescriptorProto message, FieldDescriptorProto field) {
        return field.hasOneofIndex()
                ? message.getOneofDecl(field.getOneofIndex()).getName()
                : "";
    }

    private static String signature(MethodDescriptorProto method) {
        return (method.getClientStreaming() ? "stream " : "") + method.getInputType() + " -> "
                + (method.getServerStreaming() ? "stream " : "") + method.getOutputType();
    }

    private static <K, V> Map<K, V> index(List<V> values, Function<V, K> key) {
        return values.stream().collect(Collectors.toMap(key, Function.identity()));
    }
}
