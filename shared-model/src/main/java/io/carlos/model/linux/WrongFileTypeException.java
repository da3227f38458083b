package io.carlos.model.linux;

import java.io.IOException;

/** Something else stands under the name of a regular file, perhaps planted there; it was neither read nor written. */
public final class WrongFileTypeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final FileType found;

    WrongFileTypeException(String path, FileType found) {
        super(Printable.of(path) + ": expected a regular file, found " + found);
        this.found = found;
    }

    public FileType found() {
        return found;
    }
}
