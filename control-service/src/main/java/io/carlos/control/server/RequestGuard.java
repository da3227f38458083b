package io.carlos.control.server;

import io.carlos.model.control.Problem;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;

/**
 * Stands behind the decoder: a request that is malformed or whose head is too long is answered with a problem and ends
 * the connection. A body is ignored: the request goes on as if it had none, and the connection ends with its answer.
 */
final class RequestGuard extends ChannelInboundHandlerAdapter {
    private final RequestHead head;
    private final int headBytes;
    private boolean refused;
    private boolean withoutBody;

    RequestGuard(RequestHead head, int headBytes) {
        this.head = head;
        this.headBytes = headBytes;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (refused || (withoutBody && message instanceof HttpContent)) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpRequest request) {
            head.complete();
            receive(context, request);
        } else {
            context.fireChannelRead(message);
        }
    }

    private void receive(ChannelHandlerContext context, HttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            refuse(context, problemOf(request.decoderResult().cause()));
        } else if (sizeOf(request) > headBytes) {
            refuse(context, tooLong());
        } else if (!isPathAndQuery(request.uri())) {
            refuse(context, malformed("the request target is no path with an optional query"));
        } else {
            // A unix socket has no host; whatever the client says it is must not make a difference.
            request.headers().set(HttpHeaderNames.HOST, "localhost");
            passOn(context, request);
        }
    }

    private void passOn(ChannelHandlerContext context, HttpRequest request) {
        boolean body = HttpUtil.isTransferEncodingChunked(request)
                || request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
                || HttpUtil.getContentLength(request, 0L) > 0;
        if (!body) {
            context.fireChannelRead(request);
            return;
        }
        HttpHeaders headers = request.headers();
        headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
        headers.remove(HttpHeaderNames.EXPECT);
        headers.set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
        headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        withoutBody = true;
        head.ignoreTheRest();
        context.fireChannelRead(request);
        context.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
    }

    /** The bytes of the request line and the headers, as they usually are on the wire. */
    private static long sizeOf(HttpRequest request) {
        long size = request.method().name().length() + request.uri().length() + "  HTTP/1.1\r\n\r\n".length();
        for (Map.Entry<String, String> header : request.headers()) {
            size += header.getKey().length() + header.getValue().length() + ": \r\n".length();
        }
        return size;
    }

    private static boolean isPathAndQuery(String target) {
        try {
            return target.startsWith("/") && !target.startsWith("//") && new URI(target).getRawFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private Problem problemOf(Throwable cause) {
        boolean tooLong = cause instanceof TooLongHttpLineException || cause instanceof TooLongHttpHeaderException;
        return tooLong ? tooLong() : malformed("it is no HTTP/1.1 request: " + cause.getMessage());
    }

    private Problem tooLong() {
        return Problems.of(431, "the request line and the headers have more than " + headBytes + " bytes");
    }

    private static Problem malformed(String detail) {
        return Problems.of(400, detail);
    }

    private void refuse(ChannelHandlerContext context, Problem problem) {
        refused = true;
        head.ignoreTheRest();
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(problem.status()),
                Unpooled.wrappedBuffer(Problems.json(problem)));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE);
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        HttpUtil.setContentLength(response, response.content().readableBytes());
        context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }
}
