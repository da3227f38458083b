package io.carlos.model.guest;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.TextFormat;
import io.carlos.model.guest.v1.GuestControlProto;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class GuestControlWireTest {
    private static final String COMMITTED = "guest_control.descriptor.txt";

    private static FileDescriptorProto current() {
        return GuestControlProto.getDescriptor().toProto();
    }

    private static String committedText() throws IOException {
        try (InputStream text = GuestControlWireTest.class.getResourceAsStream(COMMITTED)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static FileDescriptorProto committed() throws IOException {
        return TextFormat.parse(committedText(), FileDescriptorProto.class);
    }

    @Test
    void theProtocolSpeaksToEveryCommittedVersion() throws Exception {
        assertThat(WireBreaks.between(committed(), current())).isEmpty();
    }

    @Test
    void growthIsCommitted() throws Exception {
        assertThat(committedText())
                .as("put the actual text into src/test/resources as %s", COMMITTED)
                .isEqualTo(TextFormat.printer().printToString(current()));
    }

    @Test
    void anAddedMessageAndFieldAreNoBreak() {
        FileDescriptorProto.Builder grown = current().toBuilder();
        grown.addMessageTypeBuilder().setName("New");
        message(grown, "HealthResponse").addFieldBuilder().setName("added").setNumber(100);
        assertThat(WireBreaks.between(current(), grown.build())).isEmpty();
    }

    @Test
    void aLostMessageIsABreak() {
        assertBreak(file -> file.removeMessageType(0), "message compass.v1.HealthRequest is gone");
    }

    @Test
    void aLostFieldIsABreak() {
        assertBreak(
                file -> message(file, "HealthResponse").removeField(0),
                "field compass.v1.HealthResponse.guestd_version = 1 is gone");
    }

    @Test
    void aRenamedFieldIsABreak() {
        assertBreak(
                file -> message(file, "ExecExit").getFieldBuilder(1).setName("by"),
                "the name of field compass.v1.ExecExit.signal = 2 was \"signal\" and is \"by\"");
    }

    @Test
    void anotherTypeIsABreak() {
        assertBreak(
                file -> message(file, "ExecExit").getFieldBuilder(1).setType(FieldDescriptorProto.Type.TYPE_SINT32),
                "the type of field compass.v1.ExecExit.signal = 2 was \"TYPE_INT32 \" and is \"TYPE_SINT32 \"");
    }

    @Test
    void aFieldMovedOutOfItsOneofIsABreak() {
        assertBreak(
                file -> message(file, "ExecStreamRequest").getFieldBuilder(1).clearOneofIndex(),
                "the oneof of field compass.v1.ExecStreamRequest.stdin = 2 was \"frame\" and is \"\"");
    }

    @Test
    void anotherTypeInAMapIsABreak() {
        assertBreak(
                file -> message(file, "StartExec")
                        .getNestedTypeBuilder(0)
                        .getFieldBuilder(1)
                        .setType(FieldDescriptorProto.Type.TYPE_BYTES),
                "the type of field compass.v1.StartExec.EnvEntry.value = 2"
                        + " was \"TYPE_STRING \" and is \"TYPE_BYTES \"");
    }

    @Test
    void aMethodThatNoLongerStreamsIsABreak() {
        assertBreak(
                file -> file.getServiceBuilder(0).getMethodBuilder(2).setClientStreaming(false),
                "rpc GuestControl.ExecStream was \"stream .compass.v1.ExecStreamRequest -> stream"
                        + " .compass.v1.ExecStreamResponse\" and is \".compass.v1.ExecStreamRequest -> stream"
                        + " .compass.v1.ExecStreamResponse\"");
    }

    @Test
    void aLostMethodIsABreak() {
        assertBreak(file -> file.getServiceBuilder(0).removeMethod(0), "rpc GuestControl.Health is gone");
    }

    private static void assertBreak(Consumer<FileDescriptorProto.Builder> change, String expected) {
        FileDescriptorProto.Builder changed = current().toBuilder();
        change.accept(changed);
        assertThat(WireBreaks.between(current(), changed.build())).containsExactly(expected);
    }

    private static DescriptorProto.Builder message(FileDescriptorProto.Builder file, String name) {
        return file.getMessageTypeBuilderList().stream()
                .filter(message -> message.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
