package app.unlock;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.UnrecoverableKeyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Reads what the app wants and the person does, one event a line, and prints what the decisions make of it. */
final class UnlockRunScript {

    /** Stands for the class of Android. */
    private static final class KeyPermanentlyInvalidatedException extends InvalidKeyException {

        private static final long serialVersionUID = 1;
    }

    private static GeneralSecurityException unrecoverable(String words, Throwable cause) {
        UnrecoverableKeyException refused = new UnrecoverableKeyException(words);
        if (cause != null) refused.initCause(cause);
        return refused;
    }

    /** Keys by their ids; null is one that an enrolment has made useless. */
    private static final Map<String, SecretKeySpec> keys = new HashMap<>();
    private static final List<UnlockRun.Question> questions = new ArrayList<>();
    private static int level = 36;
    private static int biometrics = UnlockRun.READY;
    private static String fault = "";
    private static byte[] given;

    private static final UnlockRun.Device DEVICE = new UnlockRun.Device() {
        @Override
        public int level() {
            return level;
        }

        @Override
        public int biometrics() {
            return biometrics;
        }

        @Override
        public void makeKey(String id) throws GeneralSecurityException {
            if (fault.equals("make")) throw new GeneralSecurityException("no room");
            byte[] bytes = new byte[32];
            bytes[0] = (byte) id.length();
            keys.put(id, new SecretKeySpec(bytes, "HmacSHA256"));
            say("makes " + id);
        }

        @Override
        public void removeKey(String id) {
            keys.remove(id);
            say("removes " + id);
        }

        @Override
        public Mac macOf(String id) throws GeneralSecurityException {
            if (fault.equals("use")) throw new InvalidKeyException("busy");
            if (fault.equals("busy")) throw unrecoverable("Failed to obtain information about key", new IOException("busy"));
            if (fault.equals("unanswered")) throw unrecoverable("Failed to obtain information about key", null);
            if (fault.equals("wrapped")) throw unrecoverable("Failed", new KeyPermanentlyInvalidatedException());
            if (fault.equals("words")) throw unrecoverable("Key permanently invalidated", null);
            if (keys.containsKey(id) && keys.get(id) == null) throw new KeyPermanentlyInvalidatedException();
            SecretKeySpec key = keys.get(id);
            if (key == null) return null;
            Mac mac = Mac.getInstance("HmacSHA256");
            // What was never begun is what a keystore that refuses the key looks like.
            if (!fault.equals("end")) mac.init(key);
            return mac;
        }

        @Override
        public void ask(UnlockRun.Question question) {
            questions.add(question);
            say("asks " + question.words.title + " | " + question.words.cancel);
        }

        @Override
        public void dismiss() {
            say("dismisses");
        }
    };

    private static final UnlockRun.Answer ANSWER = new UnlockRun.Answer() {
        @Override
        public void give(byte[] secret) {
            given = secret;
            say("gives " + Hex.textOf(secret));
        }

        @Override
        public void refuse(String reason) {
            say("refuses " + reason);
        }
    };

    private static void say(String line) {
        System.out.println(line);
    }

    public static void main(String[] none) {
        UnlockRun run = new UnlockRun(DEVICE);
        UnlockRun.Words words = new UnlockRun.Words("Tidewater", "Cancel");
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] line = lines.nextLine().split(" ");
            switch (line[0]) {
                case "level":
                    level = Integer.parseInt(line[1]);
                    break;
                case "biometrics":
                    biometrics = Integer.parseInt(line[1]);
                    break;
                case "fault":
                    fault = line[1];
                    break;
                case "state":
                    say("lacks " + run.lack());
                    break;
                case "create":
                    run.create(line[1], Hex.bytesOf(line[2]), words, ANSWER);
                    break;
                case "read":
                    run.read(line[1], Hex.bytesOf(line[2]), words, ANSWER);
                    break;
                case "cancel":
                    run.cancel();
                    break;
                case "forget":
                    run.forget(line[1]);
                    break;
                case "enrol":
                    keys.replaceAll((id, key) -> null);
                    break;
                case "finger":
                    questions.get(Integer.parseInt(line[1])).succeed();
                    break;
                case "error":
                    questions.get(Integer.parseInt(line[1])).fail(Integer.parseInt(line[2]));
                    break;
                case "given":
                    say("holds " + Hex.textOf(given));
                    break;
                case "hex":
                    say("reads " + (Hex.bytesOf(line[1]) == null ? "nothing" : Hex.textOf(Hex.bytesOf(line[1]))));
                    break;
                default:
                    throw new IllegalArgumentException(line[0]);
            }
        }
    }
}
