package io.carlos.agent.guest;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.carlos.model.guest.v1.ExecStreamRequest;
import io.carlos.model.guest.v1.ExecStreamResponse;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the frames of a response of ExecStream. Their bytes stay in the array into which a frame was taken off the
 * wire; the generated reader copies them from one that it uses again.
 */
final class OutputFrames implements MethodDescriptor.Marshaller<ExecStreamResponse> {
    private static final MethodDescriptor<ExecStreamRequest, ExecStreamResponse> GENERATED =
            GuestControlGrpc.getExecStreamMethod();

    /** ExecStream with this reader. */
    static final MethodDescriptor<ExecStreamRequest, ExecStreamResponse> EXEC_STREAM = GENERATED.toBuilder(
                    GENERATED.getRequestMarshaller(), new OutputFrames())
            .build();

    private OutputFrames() {}

    @Override
    public InputStream stream(ExecStreamResponse frame) {
        return GENERATED.streamResponse(frame);
    }

    @Override
    public ExecStreamResponse parse(InputStream stream) {
        if (!(stream instanceof KnownLength)) {
            return GENERATED.parseResponse(stream);
        }
        try {
            byte[] frame = new byte[stream.available()];
            stream.readNBytes(frame, 0, frame.length);
            // Nobody else has the array, so that it never changes.
            CodedInputStream input = UnsafeByteOperations.unsafeWrap(frame).newCodedInput();
            input.enableAliasing(true);
            ExecStreamResponse parsed = ExecStreamResponse.parser().parseFrom(input);
            input.checkLastTagWas(0);
            return parsed;
        } catch (InvalidProtocolBufferException e) {
            throw Status.INTERNAL
                    .withDescription("the guest sent what is no frame of ExecStream")
                    .withCause(e)
                    .asRuntimeException();
        } catch (IOException e) {
            throw new IllegalStateException("a frame that was received cannot be read", e);
        }
    }
}
