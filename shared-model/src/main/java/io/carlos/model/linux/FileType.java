package io.carlos.model.linux;

/** What a name in a directory stands for. */
public enum FileType {
    REGULAR(0x8000),
    DIRECTORY(0x4000),
    LINK(0xa000),
    FIFO(0x1000),
    SOCKET(0xc000),
    CHARACTER_DEVICE(0x2000),
    BLOCK_DEVICE(0x6000);

    private static final int FORMAT_MASK = 0xf000;

    private final int format;

    FileType(int format) {
        this.format = format;
    }

    static FileType ofMode(int mode) {
        for (FileType type : values()) {
            if (type.format == (mode & FORMAT_MASK)) {
                return type;
            }
        }
        throw new IllegalArgumentException("no file type in mode 0%o".formatted(mode));
    }
}
