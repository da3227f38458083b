package io.carlos.agent.guest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.CharsetUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first words on a connection to the vsock of a virtual machine: {@code CONNECT port} out, {@code OK number} in,
 * each with a newline. Until then the connection does not look active to whoever is behind; afterwards this is gone.
 */
final class HybridVsockHandshake extends ByteToMessageDecoder {
    /** The longest answer there can be is {@code OK 4294967295}. */
    private static final int LONGEST_ANSWER = 64;

    private static final Pattern ACCEPTED = Pattern.compile("OK [0-9]{1,10}");

    private final int port;
    private final Duration bound;
    private @Nullable Future<?> timer;

    /** @param bound how long the answer may take */
    HybridVsockHandshake(int port, Duration bound) {
        this.port = port;
        this.bound = bound;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        timer = context.executor()
                .schedule(
                        () -> exceptionCaught(context, refused("nothing for " + bound.toMillis() + " ms")),
                        bound.toMillis(),
                        TimeUnit.MILLISECONDS);
        String request = "CONNECT " + Integer.toUnsignedString(port) + "\n";
        context.writeAndFlush(context.alloc().buffer().writeBytes(request.getBytes(CharsetUtil.US_ASCII)));
        context.read();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf input, List<Object> output) throws IOException {
        int length = input.bytesBefore((byte) '\n');
        if (length < 0 && input.readableBytes() <= LONGEST_ANSWER) {
            return;
        }
        if (length < 0 || length > LONGEST_ANSWER) {
            throw refused("an answer without an end");
        }
        String line = input.toString(input.readerIndex(), length, CharsetUtil.US_ASCII);
        if (!ACCEPTED.matcher(line).matches()) {
            throw refused("\"" + printable(line) + "\"");
        }
        input.skipBytes(length + 1);
        context.fireChannelActive();
        // Hands on what came behind the answer.
        context.pipeline().remove(this);
    }

    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf input, List<Object> output) throws IOException {
        throw refused("the end of the connection; no one listens on that port in the guest, or it is not up");
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        // Nobody behind reads before the answer is complete.
        context.fireChannelReadComplete();
        if (!context.isRemoved()) {
            context.read();
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.fireExceptionCaught(cause);
        context.close();
    }

    private IOException refused(String found) {
        return new IOException(
                "vsock port " + Integer.toUnsignedString(port) + ": expected \"OK\" and a number, found " + found);
    }

    private static String printable(String line) {
        return line.replaceAll("[^ -~]", "?");
    }
}
