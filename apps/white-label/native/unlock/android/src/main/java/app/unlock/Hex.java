package app.unlock;

/** Bytes as hexadecimal digits, in which they pass between the app and the plugin. */
final class Hex {

    private static final String DIGITS = "0123456789abcdef";

    private Hex() {}

    /** Returns the bytes of a text of hexadecimal digits; null for any other text. */
    static byte[] bytesOf(String text) {
        if (text.length() % 2 != 0) return null;
        byte[] bytes = new byte[text.length() / 2];
        for (int at = 0; at < bytes.length; at++) {
            int high = DIGITS.indexOf(text.charAt(2 * at));
            int low = DIGITS.indexOf(text.charAt(2 * at + 1));
            if (high < 0 || low < 0) return null;
            bytes[at] = (byte) (high << 4 | low);
        }
        return bytes;
    }

    static String textOf(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) text.append(DIGITS.charAt(one >> 4 & 15)).append(DIGITS.charAt(one & 15));
        return text.toString();
    }
}
