package io.carlos.agent.guest;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Assertions;

/** A resolver that only this machine's own programs reach, and that knows every name as {@link #ANSWER}. */
final class LoopbackResolver implements AutoCloseable {
    /** Beside the ones that a machine may have. */
    static final String ADDRESS = "127.0.0.97";

    static final String ANSWER = "192.0.2.99";

    private static final int PORT = 53;
    private static final int HEADER = 12;
    private static final int TYPE_A = 1;

    private final DatagramSocket datagrams;
    private final ServerSocket connections;

    private LoopbackResolver(DatagramSocket datagrams, ServerSocket connections) {
        this.datagrams = datagrams;
        this.connections = connections;
    }

    /** @throws SocketException where this user may not, or somebody else does */
    static LoopbackResolver open() throws IOException {
        InetAddress address = InetAddress.getByName(ADDRESS);
        DatagramSocket datagrams = new DatagramSocket(new InetSocketAddress(address, PORT));
        try {
            LoopbackResolver resolver = new LoopbackResolver(datagrams, new ServerSocket(PORT, 5, address));
            Thread.ofVirtual().start(resolver::answerDatagrams);
            Thread.ofVirtual().start(resolver::answerConnections);
            return resolver;
        } catch (IOException e) {
            datagrams.close();
            throw e;
        }
    }

    private void answerDatagrams() {
        byte[] buffer = new byte[1500];
        while (!datagrams.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                datagrams.receive(packet);
                byte[] answer = answer(Arrays.copyOf(buffer, packet.getLength()));
                datagrams.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            } catch (IOException e) {
                failUnlessClosed(datagrams.isClosed(), e);
            }
        }
    }

    private void answerConnections() {
        while (!connections.isClosed()) {
            try (Socket connection = connections.accept()) {
                DataInputStream in = new DataInputStream(connection.getInputStream());
                byte[] answer = answer(in.readNBytes(in.readUnsignedShort()));
                DataOutputStream out = new DataOutputStream(connection.getOutputStream());
                out.writeShort(answer.length);
                out.write(answer);
            } catch (IOException e) {
                failUnlessClosed(connections.isClosed(), e);
            }
        }
    }

    private static void failUnlessClosed(boolean closed, IOException e) {
        if (!closed) {
            Assertions.fail(e);
        }
    }

    /** Of one question: its address, and of everything else nothing. */
    private static byte[] answer(byte[] question) throws IOException {
        int end = HEADER;
        while (question[end] != 0) {
            end += question[end] + 1;
        }
        int type = ByteBuffer.wrap(question).getShort(end + 1);
        end += 5;
        ByteBuffer answer = ByteBuffer.allocate(end + 16);
        answer.putShort(ByteBuffer.wrap(question).getShort());
        answer.putShort((short) 0x8180).putShort((short) 1);
        answer.putShort((short) (type == TYPE_A ? 1 : 0)).putInt(0);
        answer.put(question, HEADER, end - HEADER);
        if (type == TYPE_A) {
            answer.putShort((short) (0xc000 | HEADER)).putShort((short) TYPE_A).putShort((short) 1);
            answer.putInt(60)
                    .putShort((short) 4)
                    .put(InetAddress.getByName(ANSWER).getAddress());
        }
        return Arrays.copyOf(answer.array(), answer.position());
    }

    @Override
    public void close() throws IOException {
        datagrams.close();
        connections.close();
    }
}
