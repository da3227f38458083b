package io.carlos.cli.argv;

import java.util.Collection;
import java.util.Comparator;

/** The known word that was probably meant by an unknown one. */
final class Suggestion {
    private static final int MOST_EDITS = 2;

    private Suggestion() {}

    /** As in {@code  (did you mean "runs"?)}; empty when no known word is near enough to be a slip of the finger. */
    static String of(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate -> edits(word, candidate) <= Math.min(MOST_EDITS, candidate.length() - 1))
                .min(Comparator.comparingInt((String candidate) -> edits(word, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .map(candidate -> " (did you mean \"" + candidate + "\"?)")
                .orElse("");
    }

    /** How many characters must be put in, left out, replaced or swapped with the next to make one word of the other. */
    static int edits(String from, String to) {
        int[][] distance = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                distance[i][j] = i == 0 || j == 0 ? i + j : step(distance, from, to, i, j);
            }
        }
        return distance[from.length()][to.length()];
    }

    private static int step(int[][] distance, String from, String to, int i, int j) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int best =
                Math.min(distance[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(best, distance[i - 2][j - 2] + 1) : best;
    }
}
