package io.carlos.model.linux;

import java.nio.file.InvalidPathException;

/**
 * One or more names joined by single slashes, to be resolved beneath a directory. The kernel refuses to leave that
 * directory as well; checking here keeps {@code ..} and its races away from it, and gives a better message.
 */
record RelativePath(String text) {

    /** @throws InvalidPathException when a name is empty, {@code .} or {@code ..}, or a NUL or a surrogate that stands
     *     for no byte is in one */
    RelativePath {
        if (!FileNames.isEncodable(text)) {
            throw new InvalidPathException(Printable.of(text), "expected a text that stands for bytes");
        }
        int start = 0;
        while (start <= text.length()) {
            int slash = text.indexOf('/', start);
            int end = slash < 0 ? text.length() : slash;
            String name = text.substring(start, end);
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
                throw new InvalidPathException(
                        Printable.of(text), "expected names joined by single slashes, none of them empty, . or ..");
            }
            start = end + 1;
        }
    }

    /** Everything before the last name, empty when there is but one. */
    String parent() {
        return text.substring(0, Math.max(0, text.lastIndexOf('/')));
    }

    String name() {
        return text.substring(text.lastIndexOf('/') + 1);
    }

    String[] names() {
        return text.split("/", -1);
    }
}
