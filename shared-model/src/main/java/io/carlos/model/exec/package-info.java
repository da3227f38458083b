/**
 * How a command of a virtual machine and its streams are carried over one HTTP request: both bodies are
 * {@link io.carlos.model.exec.ExecFrame}s, and neither waits for the end of the other.
 *
 * <p>The request begins with a {@code COMMAND}. An answer of 200 says that its program has been executed, or with a terminal the
 * one that makes it: a program that is not there is then a status of 127 and a line on the terminal. Any other answer is a {@link
 * io.carlos.model.control.Problem}. Then the client sends {@code STDIN}, at most {@value
 * io.carlos.model.exec.ExecFrame#STDIN_WINDOW} bytes more than {@code STDIN_TAKEN} has told it of, and {@code END_OF_STDIN}; so
 * the agent always reads, and {@code TERMINATE} and {@code KILL} wait behind nothing. The agent sends {@code STDOUT} and
 * {@code STDERR}, and after the last of them one {@code END}. The command is killed when the request ends before it does.
 */
@NullMarked
package io.carlos.model.exec;

import org.jspecify.annotations.NullMarked;
