package io.carlos.agent.service;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where something listens, as {@code HOST:PORT}.
 *
 * @param port 0 for one that the kernel chooses
 */
public record ListenAddress(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final Pattern TEXT = Pattern.compile("(.+):([0-9]{1,5})");

    public ListenAddress {
        if (host.isBlank() || port < 0 || port > MAX_PORT) {
            throw refusal(host + ":" + port);
        }
    }

    /** @throws IllegalArgumentException when the text is no HOST:PORT */
    public static ListenAddress of(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw refusal(text);
        }
        return new ListenAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
    }

    private static IllegalArgumentException refusal(String text) {
        return new IllegalArgumentException("\"" + text + "\": expected HOST:PORT, such as 127.0.0.1:9464");
    }

    InetSocketAddress socketAddress() {
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
