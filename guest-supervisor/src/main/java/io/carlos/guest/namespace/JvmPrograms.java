package io.carlos.guest.namespace;

/**
 * The programs that start a JVM, each with options of its own.
 *
 * @param commandLine the absolute path of what operators use
 * @param control the absolute path of the root service that drives systemd
 */
public record JvmPrograms(String commandLine, String control) {}
