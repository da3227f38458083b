package io.carlos.model.linux;

/**
 * An open file descriptor that threads share. A number is given to the next file that anybody opens as soon as it is
 * closed, so it is closed only when the last call that uses it has returned.
 */
final class Descriptor implements AutoCloseable {
    private final int number;
    private final String subject;
    private int uses;
    private boolean closed;

    private Descriptor(int number, String subject) {
        this.number = number;
        this.subject = subject;
    }

    /** @param directory the descriptor that the path is relative to */
    static Descriptor open(int directory, String path, OpenHow how, String subject) throws LinuxException {
        byte[] bytes = FileNames.terminated(path);
        long number = Libc.check("openat2", subject, () -> Libc.openat2(directory, bytes, how));
        return new Descriptor((int) number, subject);
    }

    /** Takes over a descriptor that a call has just returned. */
    static Descriptor adopt(int number, String subject) {
        return new Descriptor(number, subject);
    }

    String subject() {
        return subject;
    }

    FileStatus status() throws LinuxException {
        try (Use use = use()) {
            return use.status();
        }
    }

    /** @throws IllegalStateException when it is closed */
    synchronized Use use() {
        if (closed) {
            throw new IllegalStateException("used after it was closed: " + Printable.of(subject));
        }
        uses++;
        return new Use();
    }

    /** Closing again does nothing; calls that are under way finish first. */
    @Override
    public void close() throws LinuxException {
        boolean last;
        synchronized (this) {
            last = !closed && uses == 0;
            closed = true;
        }
        if (last) {
            release();
        }
    }

    /** Linux frees the number even when a signal interrupts the call: a second call would close a stranger's file. */
    private void release() throws LinuxException {
        if (Libc.close(number) < 0 && Libc.lastErrno() != Errno.EINTR.number()) {
            throw new LinuxException("close", subject, Libc.lastErrno());
        }
    }

    final class Use implements AutoCloseable {
        int number() {
            return number;
        }

        FileStatus status() throws LinuxException {
            return FileStatus.read(number, new byte[1], Libc.AT_EMPTY_PATH, subject);
        }

        @Override
        public void close() throws LinuxException {
            boolean last;
            synchronized (Descriptor.this) {
                uses--;
                last = closed && uses == 0;
            }
            if (last) {
                release();
            }
        }
    }
}
