package app.miner;

import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/** Reads what happens to the service, one event a line, and prints what its decisions make the device do. */
final class MinerRunScript {

    private static final class Timer {
        final long atMs;
        final Runnable action;

        Timer(long atMs, Runnable action) {
            this.atMs = atMs;
            this.action = action;
        }
    }

    private static long nowMs;
    private static long heldUntilMs;
    private static boolean isRefused;
    private static final List<Timer> timers = new ArrayList<>();

    private static final MinerRun.Device DEVICE = new MinerRun.Device() {
        @Override
        public boolean showRunning(String title, String text, boolean isHeld) {
            if (isRefused) return say("refused", false);
            return say("shows " + title + " | " + text + (isHeld ? " | held" : ""), true);
        }

        @Override
        public void showPlain(String text) {
            say("notifies " + text, true);
        }

        @Override
        public void openPage() {
            say("opens the page", true);
        }

        @Override
        public void closePage() {
            say("closes the page", true);
        }

        @Override
        public void showPage() {
            say("tells the page that it is seen", true);
        }

        @Override
        public void askToStop() {
            say("asks to stop", true);
        }

        @Override
        public void tellHeld(boolean isHeld) {
            say(isHeld ? "tells held" : "tells continued", true);
        }

        @Override
        public void holdProcessor(long ms) {
            heldUntilMs = nowMs + ms;
        }

        @Override
        public void releaseProcessor() {
            heldUntilMs = nowMs;
        }

        @Override
        public void noteStop(boolean isDue) {
            say(isDue ? "a stop is due" : "no stop is due", true);
        }

        @Override
        public void after(long ms, Runnable action) {
            timers.add(new Timer(nowMs + ms, action));
        }

        @Override
        public void end() {
            say("ends", true);
        }
    };

    private static boolean say(String line, boolean answer) {
        System.out.println(line);
        return answer;
    }

    private static void pass(long ms) {
        long endMs = nowMs + ms;
        while (true) {
            Timer next = null;
            for (Timer one : timers) if (one.atMs <= endMs && (next == null || one.atMs < next.atMs)) next = one;
            if (next == null) break;
            timers.remove(next);
            nowMs = next.atMs;
            next.action.run();
        }
        nowMs = endMs;
    }

    public static void main(String[] given) {
        MinerRun run = new MinerRun(DEVICE, "last title", "last text", "open the app", "the page is paused");
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ", 2);
            switch (words[0]) {
                case "begin":
                    say(run.begin() ? "begun" : "not begun", true);
                    break;
                case "again":
                    say(run.beginAgain(words.length == 2) ? "begun" : "not begun", true);
                    break;
                case "beat":
                    run.beat(words[1].equals("working"));
                    break;
                case "change":
                    run.changed();
                    break;
                case "line":
                    run.line(words[1], "text");
                    break;
                case "hold":
                    run.hold(words[1].equals("on"));
                    break;
                case "stop":
                    run.stop();
                    break;
                case "done":
                    run.done(words.length == 1 ? null : words[1]);
                    break;
                case "died":
                    run.pageDied();
                    break;
                case "refuse":
                    isRefused = true;
                    break;
                case "pass":
                    pass(Long.parseLong(words[1]) * 1000);
                    break;
                case "processor?":
                    say(heldUntilMs > nowMs ? "awake for " + (heldUntilMs - nowMs) / 1000 + " s" : "may sleep", true);
                    break;
                default:
                    throw new IllegalArgumentException(words[0]);
            }
        }
    }
}
