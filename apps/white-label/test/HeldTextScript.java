package app.device;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.util.Scanner;

/** Reads what the app saves and the person chooses, one event a line, and prints what is held and written. */
final class HeldTextScript {

    private HeldTextScript() {}

    public static void main(String[] given) throws IOException {
        File cache = new File(given[0]);
        String name = "";
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ", 2);
            switch (words[0]) {
                case "hold":
                    name = HeldText.hold(cache, words[1].repeat(words[1].length() == 1 ? 3_000_000 : 1));
                    System.out.println("call has " + name.replaceAll("\\d+", "N"));
                    break;
                case "save":
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    try {
                        HeldText.copy(cache, words.length == 2 ? words[1] : name, out);
                        System.out.println("saves " + out.size());
                    } catch (IOException gone) {
                        System.out.println("saves nothing");
                    }
                    break;
                case "clear":
                    HeldText.clear(cache);
                    break;
                case "held?":
                    System.out.println("holds " + cache.list().length);
                    break;
                default:
                    throw new IllegalArgumentException(words[0]);
            }
        }
    }
}
