package io.carlos.guest.namespace.calls;

/**
 * What a file is opened for. The kernel's numbers for it differ between architectures, so they are left to the compiler
 * of the C code. A descriptor is never inherited by a program that is executed.
 */
public enum OpenMode {
    /** To read. A link as the last part of the name is refused, and a FIFO does not hold the caller. */
    READ,
    /** To read whatever a link leads to, for files of the kernel's. A FIFO does not hold the caller. */
    READ_THROUGH_LINKS,
    /** To write a file that is there, for files of the kernel's. */
    WRITE,
    /** A directory, to list it or as the start of other names. A link as the last part of the name is refused. */
    DIRECTORY,
    /** To write a new file of mode 0644 at most. Whatever has the name already, also a link, is an error. */
    CREATE
}
