package io.carlos.model.control;

import io.carlos.model.names.InvalidNameException;

/** How much memory, and as much swap, all units of one host have together. */
public enum MemoryTier {
    MIB_512(536_870_912),
    GIB_1(1_073_741_824);

    private final long maxBytes;

    MemoryTier(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * The tier that a {@code memory_max} names.
     *
     * @throws InvalidNameException when it is none, to the character
     */
    public static MemoryTier of(String maxBytes) {
        for (MemoryTier tier : values()) {
            if (Long.toString(tier.maxBytes).equals(maxBytes)) {
                return tier;
            }
        }
        throw new InvalidNameException("a memory tier", maxBytes, "it is 536870912 or 1073741824, in bytes");
    }

    /** {@code MemoryMax=} and {@code MemorySwapMax=} of the slice. */
    public long maxBytes() {
        return maxBytes;
    }

    /** {@code MemoryHigh=} of the slice, from where on the kernel slows its processes down: nine tenths, rounded down. */
    public long highBytes() {
        return maxBytes * 9 / 10;
    }
}
