package io.carlos.model.names;

/** The name of one virtual machine of a box: 1 to 39 lower-case letters, digits and hyphens, the first of them no hyphen. */
public record VmName(String value) implements Comparable<VmName> {
    /** @throws InvalidNameException when the text is no such name */
    public VmName {
        SlugRule.check("a machine", value);
    }

    public static VmName of(String value) {
        return new VmName(value);
    }

    @Override
    public int compareTo(VmName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
