package io.carlos.model.linux;

import com.sun.jna.Library;
import com.sun.jna.Native;

/** What tests need of Linux to play a hostile neighbour, another user or an administrator. */
interface LinuxTestCalls extends Library {
    LinuxTestCalls LIBC = Native.load(null, LinuxTestCalls.class);

    int AT_FDCWD = -100;
    int RENAME_EXCHANGE = 2;
    long MS_REMOUNT = 0x20;
    long MS_NOSYMFOLLOW = 0x100;
    long MS_BIND = 0x1000;
    int MNT_DETACH = 2;
    int AF_UNIX = 1;
    int SOCK_STREAM = 1;
    int RLIMIT_NOFILE = 7;

    int geteuid();

    /** Of the calling thread only, and with its rights over other users' files. */
    int setfsuid(int uid);

    int setfsgid(int gid);

    int mkfifo(String path, int mode);

    int renameat2(int directory, String path, int newDirectory, String newPath, int flags);

    int mount(String source, String target, String type, long flags, String data);

    int umount2(String target, int flags);

    int socketpair(int domain, int type, int protocol, int[] descriptors);

    int socket(int domain, int type, int protocol);

    int bind(int socket, byte[] address, int length);

    int listen(int socket, int backlog);

    int accept(int socket, byte[] address, int[] length);

    int close(int descriptor);

    int getrlimit(int resource, long[] softAndHard);

    int setrlimit(int resource, long[] softAndHard);
}
