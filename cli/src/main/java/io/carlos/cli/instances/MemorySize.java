package io.carlos.cli.instances;

import io.carlos.model.control.MemoryTier;

/** How much memory an instance has, as operators write it. */
public record MemorySize(MemoryTier tier) {
    /** @throws IllegalArgumentException for anything but the two tiers */
    public static MemorySize of(String text) {
        return new MemorySize(
                switch (text) {
                    case "512M" -> MemoryTier.MIB_512;
                    case "1G" -> MemoryTier.GIB_1;
                    default -> throw new IllegalArgumentException("\"" + text + "\" is not 512M or 1G");
                });
    }
}
