package io.carlos.model.names;

/**
 * SHA-256 as in FIPS 180-4. The names are also compiled ahead of time into the program inside a tenant's namespace, where
 * the JDK's security providers do not exist; hence this one, which the tests hold against theirs.
 */
final class Sha256 {
    private static final int BLOCK_BYTES = 64;
    private static final int LENGTH_BYTES = 8;
    private static final String HEX_DIGITS = "0123456789abcdef";

    private static final int[] INITIAL_STATE = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
    };

    private static final int[] ROUND_CONSTANTS = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
    };

    private Sha256() {}

    /** The digest as 64 lower-case hex digits. */
    static String hex(byte[] message) {
        int[] state = INITIAL_STATE.clone();
        int[] schedule = new int[ROUND_CONSTANTS.length];
        byte[] padded = pad(message);
        for (int block = 0; block < padded.length; block += BLOCK_BYTES) {
            expand(padded, block, schedule);
            compress(state, schedule);
        }
        StringBuilder hex = new StringBuilder(2 * 32);
        for (int word : state) {
            for (int shift = 28; shift >= 0; shift -= 4) {
                hex.append(HEX_DIGITS.charAt(word >>> shift & 0xf));
            }
        }
        return hex.toString();
    }

    /** The message, a one bit, zeros, and the message's length in bits, to whole blocks. */
    private static byte[] pad(byte[] message) {
        int blocks = (message.length + 1 + LENGTH_BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES;
        byte[] padded = new byte[blocks * BLOCK_BYTES];
        System.arraycopy(message, 0, padded, 0, message.length);
        padded[message.length] = (byte) 0x80;
        long bits = 8L * message.length;
        for (int i = 0; i < LENGTH_BYTES; i++) {
            padded[padded.length - 1 - i] = (byte) (bits >>> (8 * i));
        }
        return padded;
    }

    private static void expand(byte[] padded, int block, int[] schedule) {
        for (int t = 0; t < 16; t++) {
            int at = block + 4 * t;
            schedule[t] = (padded[at] & 0xff) << 24
                    | (padded[at + 1] & 0xff) << 16
                    | (padded[at + 2] & 0xff) << 8
                    | (padded[at + 3] & 0xff);
        }
        for (int t = 16; t < schedule.length; t++) {
            int before15 = schedule[t - 15];
            int before2 = schedule[t - 2];
            int sigma0 = Integer.rotateRight(before15, 7) ^ Integer.rotateRight(before15, 18) ^ before15 >>> 3;
            int sigma1 = Integer.rotateRight(before2, 17) ^ Integer.rotateRight(before2, 19) ^ before2 >>> 10;
            schedule[t] = sigma1 + schedule[t - 7] + sigma0 + schedule[t - 16];
        }
    }

    private static void compress(int[] state, int[] schedule) {
        int a = state[0];
        int b = state[1];
        int c = state[2];
        int d = state[3];
        int e = state[4];
        int f = state[5];
        int g = state[6];
        int h = state[7];
        for (int t = 0; t < schedule.length; t++) {
            int sum1 = Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11) ^ Integer.rotateRight(e, 25);
            int choice = e & f ^ ~e & g;
            int temporary1 = h + sum1 + choice + ROUND_CONSTANTS[t] + schedule[t];
            int sum0 = Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13) ^ Integer.rotateRight(a, 22);
            int majority = a & b ^ a & c ^ b & c;
            int temporary2 = sum0 + majority;
            h = g;
            g = f;
            f = e;
            e = d + temporary1;
            d = c;
            c = b;
            b = a;
            a = temporary1 + temporary2;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
}
