package io.carlos.guest.exec;

import io.carlos.model.linux.process.OutputPumps;

/** Where the two output streams of a command go; either may block, and gets at most 32 KiB at once. */
public record ExecOutput(OutputPumps.Sink stdout, OutputPumps.Sink stderr) {}
