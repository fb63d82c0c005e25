package app.unlock;

import java.security.GeneralSecurityException;
import java.security.ProviderException;
import java.security.UnrecoverableKeyException;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;

/**
 * The decisions about secrets that the device gives after a fingerprint or a face: when it is asked, what its answer
 * means, and which keys stay. A secret is the HMAC-SHA-256 of a salt under a key that never leaves the device's keystore.
 * No class of Android is named here, so that a test runs them on any Java.
 */
final class UnlockRun {

    /** First version of Android in which an app can insist on strong biometrics: 11. */
    static final int FIRST_LEVEL = 30;
    static final int SECRET_BYTES = 32;

    /** Answers of the system, {@code BIOMETRIC_SUCCESS} and {@code BIOMETRIC_ERROR_…}. */
    static final int READY = 0;
    static final int UNABLE_TO_PROCESS = 2;
    static final int TIMEOUT = 3;
    static final int CANCELED = 5;
    static final int LOCKOUT = 7;
    static final int LOCKOUT_PERMANENT = 9;
    static final int USER_CANCELED = 10;
    static final int NONE_ENROLLED = 11;
    static final int NO_HARDWARE = 12;

    /** The device as far as the decisions need it. */
    interface Device {
        /** Version of Android as a number. */
        int level();

        /** Returns what the system says about strong biometrics. */
        int biometrics();

        /** Makes a key that works once after each fingerprint or face, and never again once one is added. */
        void makeKey(String id) throws GeneralSecurityException;

        /** Removes a key, if it is there. */
        void removeKey(String id);

        /** Returns the function of a key; null if there is no such key. */
        Mac macOf(String id) throws GeneralSecurityException;

        /** Shows the system's question. */
        void ask(Question question);

        /** Closes the system's question. */
        void dismiss();
    }

    /** Takes the one answer to a question. */
    interface Answer {
        /** Called with the secret, which is wiped afterwards. */
        void give(byte[] secret);

        /** Called with the reason why there is no secret. */
        void refuse(String reason);
    }

    /** The words of the system's question. */
    static final class Words {
        final String title;
        final String cancel;

        Words(String title, String cancel) {
            this.title = title;
            this.cancel = cancel;
        }
    }

    /** A question to the person. What the system says about it after its answer changes nothing. */
    final class Question {
        final Words words;
        final Mac mac;
        private final byte[] salt;
        private final Answer answer;
        private boolean isAnswered;

        private Question(Words words, Mac mac, byte[] salt, Answer answer) {
            this.words = words;
            this.mac = mac;
            this.salt = salt;
            this.answer = answer;
        }

        /** Takes that the device has recognised its person. */
        void succeed() {
            if (isAnswered) return;
            byte[] secret = null;
            try {
                secret = mac.doFinal(salt);
            } catch (IllegalStateException | ProviderException refused) {
                // The keystore does not take the key after all.
            }
            if (secret == null || secret.length != SECRET_BYTES) {
                end("unavailable");
                return;
            }
            isAnswered = true;
            if (open == this) open = null;
            answer.give(secret);
            Arrays.fill(secret, (byte) 0);
        }

        /** Takes an error of the system. */
        void fail(int code) {
            end(reasonOf(code));
        }

        private void end(String reason) {
            if (isAnswered) return;
            isAnswered = true;
            if (open == this) open = null;
            answer.refuse(reason);
        }
    }

    /** Words of {@code KeyPermanentlyInvalidatedException} as Android has them. */
    private static final List<String> INVALIDATED =
        Arrays.asList("Key permanently invalidated", "User changed or deleted their auth credentials");

    private final Device device;
    private Question open;

    UnlockRun(Device device) {
        this.device = device;
    }

    /** Returns what the device lacks for keeping a secret; null if nothing. */
    String lack() {
        if (device.level() < FIRST_LEVEL) return "tooOld";
        int answer = device.biometrics();
        return answer == READY ? null : reasonOf(answer);
    }

    /** Makes a key and asks for its secret. Without an answer that gives the secret the key goes again. */
    void create(String id, byte[] salt, Words words, Answer answer) {
        String lack = lack();
        if (lack != null) {
            answer.refuse(lack);
            return;
        }
        try {
            device.makeKey(id);
        } catch (GeneralSecurityException | ProviderException refused) {
            device.removeKey(id);
            answer.refuse("noKey");
            return;
        }
        read(id, salt, words, new Answer() {
            @Override
            public void give(byte[] secret) {
                answer.give(secret);
            }

            @Override
            public void refuse(String reason) {
                device.removeKey(id);
                answer.refuse(reason);
            }
        });
    }

    /** Asks for the secret of a key. A question that is still open is cancelled. */
    void read(String id, byte[] salt, Words words, Answer answer) {
        cancel();
        String lack = lack();
        if (lack != null) {
            answer.refuse(lack);
            return;
        }
        Mac mac;
        try {
            mac = device.macOf(id);
        } catch (GeneralSecurityException | ProviderException refused) {
            answer.refuse(isGone(refused) ? "gone" : "unavailable");
            return;
        }
        // The key stays where it is: the app removes it with what it opened.
        if (mac == null) {
            answer.refuse("gone");
            return;
        }
        open = new Question(words, mac, salt, answer);
        device.ask(open);
    }

    void forget(String id) {
        device.removeKey(id);
    }

    /** Closes the open question, if there is one. */
    void cancel() {
        Question last = open;
        if (last == null) return;
        device.dismiss();
        last.fail(CANCELED);
    }

    /**
     * Returns true if a key will never work again, since a fingerprint or face was added. A keystore that is busy or does
     * not answer throws an UnrecoverableKeyException as well, and gives the key later.
     */
    static boolean isGone(Throwable refused) {
        for (Throwable one = refused; one != null; one = one.getCause())
            if (one.getClass().getSimpleName().equals("KeyPermanentlyInvalidatedException")) return true;
        // The keystore of some versions passes on the words alone.
        String words = String.valueOf(refused.getMessage());
        return refused instanceof UnrecoverableKeyException && refused.getCause() == null && INVALIDATED.contains(words);
    }

    private static String reasonOf(int code) {
        switch (code) {
            case CANCELED:
            case USER_CANCELED:
                return "cancelled";
            case UNABLE_TO_PROCESS:
            case TIMEOUT:
                return "notRecognised";
            case LOCKOUT:
                return "lockedOut";
            case LOCKOUT_PERMANENT:
                return "lockedUntilPin";
            case NONE_ENROLLED:
                return "noneEnrolled";
            case NO_HARDWARE:
                return "noSensor";
            default:
                return "unavailable";
        }
    }
}
