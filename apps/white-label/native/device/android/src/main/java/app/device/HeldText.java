package app.device;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A text that waits in the cache of the app until the person has chosen a place for it. What an activity is started with is
 * kept by the system and passed between processes, which ends an app above about 1 MB. No class of Android is named here,
 * so that a test runs it on any Java.
 */
final class HeldText {

    private static final String PREFIX = "held-";

    private HeldText() {}

    /** Writes a text into the cache, in place of one that was never saved. Returns the name by which it is found again. */
    static String hold(File cache, String text) throws IOException {
        clear(cache);
        File file = File.createTempFile(PREFIX, ".txt", cache);
        try (OutputStream out = new FileOutputStream(file)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return file.getName();
    }

    /** Copies a held text. @throws IOException if it is not there any more */
    static void copy(File cache, String name, OutputStream to) throws IOException {
        if (!name.startsWith(PREFIX) || name.indexOf('/') >= 0) throw new IOException("The text is gone.");
        byte[] part = new byte[64 * 1024];
        try (InputStream in = new FileInputStream(new File(cache, name))) {
            for (int length = in.read(part); length >= 0; length = in.read(part)) to.write(part, 0, length);
        }
    }

    /** Removes what is held. */
    static void clear(File cache) {
        File[] held = cache.listFiles((folder, name) -> name.startsWith(PREFIX));
        if (held != null) for (File one : held) one.delete();
    }
}
