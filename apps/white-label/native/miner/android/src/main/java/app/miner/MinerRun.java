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
    /** Time without a beat after which a page counts as paused by the WebView, in ms. */
    static final long SILENT_MS = 120_000;
    /** Time for a silent page to beat once it was told that it is seen, in ms. */
    static final long WAKE_MS = 15_000;
    /** Time for a page that is paused to follow a change of the device, in ms. */
    static final long FOLLOW_MS = 30_000;
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

        /** Tells the page that it is seen, for a WebView that has paused it. */
        void showPage();

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
    /** Sentence of the notification while the page is silent. */
    private final String hidden;
    private String title;
    private String text;
    private boolean isRunning;
    private boolean isStopping;
    /** True if the person has started again while the page was stopping. */
    private boolean isWanted;
    private boolean isHeld;
    private boolean hasBeaten;
    private int deaths;
    /** Number of beats so far: the watch of an earlier beat decides nothing after a later one. */
    private int beats;
    private boolean isSilent;
    /** True if the page needs the processor, as far as is known. */
    private boolean isWorking;
    /** Number of changes of the device that the page is following now. */
    private int following;
    /** Number of pages opened so far: a timer of an earlier page decides nothing about a later one. */
    private int page;

    MinerRun(Device device, String title, String text, String reopen, String hidden) {
        this.device = device;
        this.title = title;
        this.text = text;
        this.reopen = reopen;
        this.hidden = hidden;
    }

    boolean isRunning() {
        return isRunning;
    }

    boolean isHeld() {
        return isHeld;
    }

    /** Starts for the person: after a stop that is under way, once its page is closed. False if the system refuses. */
    boolean begin() {
        isWanted = isStopping;
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
        if (isSilent) device.showRunning(title, text, isHeld);
        isSilent = false;
        beats++;
        watch();
        isWorking = needsProcessor;
        if (needsProcessor) device.holdProcessor(HOLD_MS);
        else if (following == 0) device.releaseProcessor();
    }

    /** Something about the device has changed. The page gets time to follow it, for the processor may sleep in a pause. */
    void changed() {
        if (!isRunning || isWorking) return;
        following++;
        device.holdProcessor(FOLLOW_MS);
        device.after(FOLLOW_MS, () -> following--);
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
        if (!isRunning) {
            device.end();
            return;
        }
        if (isStopping) return;
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
        isWanted = false;
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

    /** Waits for the next beat. A page without one is told that it is seen, and opened anew if that does not help. */
    private void watch() {
        int seen = beats;
        int watched = page;
        device.after(SILENT_MS, () -> {
            if (!isRunning || isStopping || page != watched || beats != seen) return;
            isSilent = true;
            device.showRunning(title, hidden, isHeld);
            device.holdProcessor(HOLD_MS);
            device.showPage();
            device.after(WAKE_MS, () -> {
                if (isRunning && !isStopping && page == watched && beats == seen) pageDied();
            });
        });
    }

    private void open() {
        page++;
        hasBeaten = false;
        isWorking = true;
        device.holdProcessor(HOLD_MS);
        device.openPage();
        int opened = page;
        device.after(OPEN_MS, () -> {
            if (isRunning && page == opened && !hasBeaten) finish(reopen);
        });
    }

    private void beginAfterStop() {
        isWanted = false;
        isStopping = false;
        isHeld = false;
        deaths = 0;
        device.closePage();
        device.noteStop(false);
        device.showRunning(title, text, isHeld);
        open();
    }

    private void finish(String notice) {
        if (isWanted) {
            beginAfterStop();
            return;
        }
        isRunning = false;
        page++;
        device.releaseProcessor();
        device.closePage();
        if (notice != null) device.showPlain(notice);
        device.end();
    }
}
