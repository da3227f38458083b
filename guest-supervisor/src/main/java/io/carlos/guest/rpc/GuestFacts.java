package io.carlos.guest.rpc;

import com.google.protobuf.ByteString;
import java.util.function.BooleanSupplier;

/**
 * What a guest says of itself.
 *
 * @param bootNonce what the host gave it at its boot; empty when it gave nothing
 */
public record GuestFacts(
        String version, BooleanSupplier networkUp, BooleanSupplier workspaceMounted, ByteString bootNonce) {}
