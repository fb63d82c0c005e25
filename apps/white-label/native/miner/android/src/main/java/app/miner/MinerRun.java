package app.miner;

/**
 * The decisions of the service: when it shows itself, opens its page, keeps the processor awake, and ends. No class of
 * Android is named here, so that a test runs them on any Java.
 */
final class MinerRun {

    /** Time for which the processor stays awake without another beat, in ms. */
    static final long HOLD_MS = 600_000;
    /** Time for a page to say its first beat, in ms. */
    static final long OPEN_MS = 120_000;
    /** Time for a page to stop mining after it was told to, in ms. */
    static final long STOP_MS = 5_000;
    /** Pause before a page that died is opened again, in ms. */
    static final long REOPEN_MS = 5_000;
    /** Number of pages that may die without a beat in between. */
    static final int MOST_DEATHS = 3;

    /** The device as far as the decisions need it. */
    interface Device {
        /** Shows the notification of the running service. False if the system refuses the service. */
        boolean showRunning(String title, String text, boolean isHeld);

        /** Shows a plain notification that opens the app, and outlives the service. */
        void showPlain(String text);

        void openPage();

        void closePage();

        /** Tells the page to stop mining. */
        void askToStop();

        /** Tells the page that the person has paused or continued. */
        void tellHeld(boolean isHeld);

        /** Keeps the processor awake for a time from now on, in place of an earlier time. */
        void holdProcessor(long ms);

        void releaseProcessor();

        /** Remembers that the person has stopped and no page has confirmed it. */
        void noteStop(boolean isDue);

        /** Runs an action after a time in ms. */
        void after(long ms, Runnable action);

        /** Ends the service. */
        void end();
    }

    private final Device device;
    /** Sentence of the notification that is left when the service cannot run. */
    private final String reopen;
    private String title;
    private String text;
    private boolean isRunning;
    private boolean isStopping;
    private boolean isHeld;
    private boolean hasBeaten;
    private int deaths;
    /** Number of pages opened so far: a timer of an earlier page decides nothing about a later one. */
    private int page;

    MinerRun(Device device, String title, String text, String reopen) {
        this.device = device;
        this.title = title;
        this.text = text;
        this.reopen = reopen;
    }

    boolean isRunning() {
        return isRunning;
    }

    boolean isHeld() {
        return isHeld;
    }

    /** Starts for the person. False if the system refuses. */
    boolean begin() {
        if (isRunning) return true;
        if (!device.showRunning(title, text, isHeld)) {
            device.showPlain(reopen);
            device.end();
            return false;
        }
        isRunning = true;
        device.noteStop(false);
        open();
        return true;
    }

    /** Starts after the system had ended the app. A stop that came before that still counts. */
    boolean beginAgain(boolean isStopDue) {
        if (!isStopDue) return begin();
        device.end();
        return false;
    }

    /** A sign of life of the page, which says if it needs the processor: paused, it does not. */
    void beat(boolean needsProcessor) {
        if (!isRunning) return;
        hasBeaten = true;
        deaths = 0;
        if (needsProcessor) device.holdProcessor(HOLD_MS);
        else device.releaseProcessor();
    }

    /** The words of the notification. */
    void line(String nextTitle, String nextText) {
        if (!isRunning) return;
        title = nextTitle;
        text = nextText;
        device.showRunning(title, text, isHeld);
    }

    /** The person pauses or continues in the notification. */
    void hold(boolean isWanted) {
        if (!isRunning || isStopping) return;
        isHeld = isWanted;
        // Continuing needs the processor before the next beat asks for it.
        if (!isHeld) device.holdProcessor(HOLD_MS);
        device.tellHeld(isHeld);
        device.showRunning(title, text, isHeld);
    }

    /** The person stops, in the notification or in the app. A page that does not answer is closed all the same. */
    void stop() {
        if (!isRunning) {
            device.end();
            return;
        }
        if (isStopping) return;
        isStopping = true;
        device.noteStop(true);
        device.askToStop();
        int asked = page;
        device.after(STOP_MS, () -> {
            if (isRunning && page == asked) finish(null);
        });
    }

    /**
     * The page has stopped mining.
     *
     * @param notice sentence for the person; null if there is nothing to say
     */
    void done(String notice) {
        if (!isRunning) return;
        device.noteStop(false);
        finish(isStopping ? null : notice);
    }

    /** The process that draws the page is gone. */
    void pageDied() {
        if (!isRunning) return;
        device.closePage();
        deaths++;
        if (isStopping || deaths > MOST_DEATHS) {
            finish(isStopping ? null : reopen);
            return;
        }
        device.holdProcessor(HOLD_MS);
        int died = page;
        device.after(REOPEN_MS, () -> {
            if (isRunning && !isStopping && page == died) open();
        });
    }

    private void open() {
        page++;
        hasBeaten = false;
        device.holdProcessor(HOLD_MS);
        device.openPage();
        int opened = page;
        device.after(OPEN_MS, () -> {
            if (isRunning && page == opened && !hasBeaten) finish(reopen);
        });
    }

    private void finish(String notice) {
        isRunning = false;
        page++;
        device.releaseProcessor();
        device.closePage();
        if (notice != null) device.showPlain(notice);
        device.end();
    }
}
