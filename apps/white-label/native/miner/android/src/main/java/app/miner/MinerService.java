package app.miner;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.content.pm.ServiceInfo;
import android.os.Build;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.os.PowerManager;
import org.json.JSONException;
import org.json.JSONObject;

/** Mines while the screen is off: shows a notification, holds the page that mines, and keeps the processor awake. */
public class MinerService extends Service implements MinerRun.Device, MinerPage.Listener {

    /** Called when the service has begun, was refused or has ended. */
    interface Watcher {
        void onChange(boolean isRunning);
    }

    private static final String STOP = "app.miner.STOP";
    private static final String PAUSE = "app.miner.PAUSE";
    private static final String CONTINUE = "app.miner.CONTINUE";
    private static final String RUNNING = "mining";
    private static final String STOPPED = "stopped";
    private static final String WORDS = "app.miner";
    private static final int ID = 2;
    /** Pause between two notes of the time of the last beat, in ms. */
    private static final long NOTE_MS = 60_000;

    // All of these belong to the main thread.
    private static MinerService current;
    private static Watcher watcher;
    /** Passphrase on its way from the plugin to the page. It is in no intent and in no file. */
    private static String handedOver;

    private final Handler handler = new Handler(Looper.getMainLooper());
    private MinerRun run;
    private MinerPage page;
    private DeviceWatch device;
    private PowerManager.WakeLock processor;
    /** Kept until the service ends, for a page that has to be opened again. */
    private String passphrase;
    private long notedAtMs;
    /** The start that this service has seen last. */
    private int lastStart;
    /** True until the page has heard that the person has started: a later page goes on with what was wanted. */
    private boolean isFresh;

    static SharedPreferences words(Context context) {
        return context.getSharedPreferences(WORDS, Context.MODE_PRIVATE);
    }

    static boolean isRunning() {
        return current != null && current.run != null && current.run.isRunning();
    }

    static void watch(Watcher next) {
        watcher = next;
    }

    /** Ends a watch, unless a later one has taken its place. */
    static void unwatch(Watcher last) {
        if (watcher == last) watcher = null;
    }

    /** Starts the service. @throws RuntimeException if the system does not allow it now */
    static void begin(Context context, String passphrase) {
        handedOver = passphrase;
        Intent intent = new Intent(context, MinerService.class);
        try {
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O) context.startForegroundService(intent);
            else context.startService(intent);
        } catch (RuntimeException refused) {
            handedOver = null;
            throw refused;
        }
    }

    /** Stops mining and ends the service. */
    static void stopMining() {
        if (current != null && current.run != null) current.run.stop();
    }

    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }

    @Override
    public void onCreate() {
        current = this;
        processor = ((PowerManager) getSystemService(Context.POWER_SERVICE))
            .newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, getPackageName() + ":mining");
        processor.setReferenceCounted(false);
        device = new DeviceWatch(this, handler, this::tellConditions);
        device.start();
        SharedPreferences kept = words(this);
        run = new MinerRun(
            this,
            kept.getString("title", ""),
            kept.getString("text", ""),
            kept.getString("reopen", ""),
            kept.getString("hidden", "")
        );
    }

    @Override
    public int onStartCommand(Intent intent, int flags, int startId) {
        lastStart = startId;
        String action = intent == null ? null : intent.getAction();
        if (STOP.equals(action)) run.stop();
        else if (PAUSE.equals(action) || CONTINUE.equals(action)) run.hold(PAUSE.equals(action));
        else {
            boolean isAgain = intent == null;
            boolean isStopDue = isAgain && words(this).getBoolean("isStopDue", false);
            if (!isAgain) {
                isFresh = true;
                passphrase = handedOver;
            }
            handedOver = null;
            if (!isStopDue) noteEnd(isAgain);
            boolean hasBegun = isAgain ? run.beginAgain(isStopDue) : run.begin();
            if (watcher != null) watcher.onChange(hasBegun);
            if (!hasBegun) return START_NOT_STICKY;
        }
        return run.isRunning() ? START_STICKY : START_NOT_STICKY;
    }

    @Override
    public void onDestroy() {
        device.stop();
        releaseProcessor();
        closePage();
        passphrase = null;
        current = null;
        if (watcher != null) watcher.onChange(false);
    }

    @Override
    public void onMessage(JSONObject message) {
        switch (message.optString("type")) {
            case "ready":
                welcome();
                break;
            case "beat":
                noteBeat();
                run.beat(message.optBoolean("needsProcessor"));
                if (message.optBoolean("isHidden") && page != null) page.showAsVisible();
                break;
            case "line":
                String title = message.optString("title");
                String text = message.optString("text");
                words(this).edit().putString("title", title).putString("text", text).apply();
                run.line(title, text);
                break;
            case "done":
                run.done(message.isNull("notice") ? null : message.optString("notice"));
                break;
            default:
                break;
        }
    }

    @Override
    public void onDied() {
        run.pageDied();
    }

    private void welcome() {
        try {
            page.tell(device.now(run.isHeld()));
            page.tell(new JSONObject().put("type", "begin").put("passphrase", passphrase).put("isAgain", !isFresh));
            isFresh = false;
        } catch (JSONException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void tellConditions() {
        if (page == null) return;
        run.changed();
        try {
            page.tell(device.now(run.isHeld()));
        } catch (JSONException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Keeps when the system had ended the app, which it starts again now; forgets it when the person starts. */
    private void noteEnd(boolean isAgain) {
        SharedPreferences kept = words(this);
        long beatAtMs = kept.getLong("beatAtMs", 0);
        if (!isAgain) kept.edit().remove("endedAtMs").remove("beatAtMs").apply();
        else if (beatAtMs > 0) kept.edit().putLong("endedAtMs", beatAtMs).apply();
    }

    /** Keeps the time of the last sign of life, so that the app can say when the system ended it. */
    private void noteBeat() {
        long now = System.currentTimeMillis();
        if (now - notedAtMs < NOTE_MS) return;
        notedAtMs = now;
        words(this).edit().putLong("beatAtMs", now).apply();
    }

    @Override
    public boolean showRunning(String title, String text, boolean isHeld) {
        Notification notice = runningNotice(title, text, isHeld);
        try {
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.UPSIDE_DOWN_CAKE)
                startForeground(ID, notice, ServiceInfo.FOREGROUND_SERVICE_TYPE_SPECIAL_USE);
            else startForeground(ID, notice);
            return true;
        } catch (IllegalStateException | SecurityException refused) {
            return false;
        }
    }

    @Override
    public void showPlain(String text) {
        Notification notice = builder(STOPPED, "stoppedChannel", NotificationManager.IMPORTANCE_DEFAULT)
            .setContentTitle(getApplicationInfo().loadLabel(getPackageManager()))
            .setContentText(text)
            .setAutoCancel(true)
            .build();
        notifications().notify(STOPPED, 1, notice);
    }

    @Override
    public void openPage() {
        page = new MinerPage(getApplicationContext(), this);
    }

    @Override
    public void closePage() {
        if (page != null) page.close();
        page = null;
    }

    @Override
    public void showPage() {
        if (page != null) page.showAsVisible();
    }

    @Override
    public void askToStop() {
        try {
            if (page != null) page.tell(new JSONObject().put("type", "stop"));
        } catch (JSONException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void tellHeld(boolean isHeld) {
        tellConditions();
    }

    @Override
    public void holdProcessor(long ms) {
        processor.acquire(ms);
    }

    @Override
    public void releaseProcessor() {
        if (processor.isHeld()) processor.release();
    }

    @Override
    public void noteStop(boolean isDue) {
        words(this).edit().putBoolean("isStopDue", isDue).apply();
    }

    @Override
    public void after(long ms, Runnable action) {
        handler.postDelayed(action, ms);
    }

    @Override
    public void end() {
        words(this).edit().remove("beatAtMs").apply();
        stopForeground(STOP_FOREGROUND_REMOVE);
        // A start that is on its way is carried out.
        stopSelf(lastStart);
    }

    private Notification runningNotice(String title, String text, boolean isHeld) {
        SharedPreferences kept = words(this);
        Notification.Builder notice = builder(RUNNING, "channel", NotificationManager.IMPORTANCE_LOW)
            .setContentTitle(title)
            .setContentText(text)
            .setOngoing(true)
            .setOnlyAlertOnce(true)
            .addAction(actionOf(isHeld ? CONTINUE : PAUSE, kept.getString(isHeld ? "continue" : "pause", "")))
            .addAction(actionOf(STOP, kept.getString("stop", "")));
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.S)
            notice.setForegroundServiceBehavior(Notification.FOREGROUND_SERVICE_IMMEDIATE);
        return notice.build();
    }

    // The old builders are for Android 7, which has no channels.
    @SuppressWarnings("deprecation")
    private Notification.Builder builder(String channel, String name, int importance) {
        Intent opening = getPackageManager().getLaunchIntentForPackage(getPackageName());
        Notification.Builder notice;
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O) {
            String shown = words(this).getString(name, "");
            notifications().createNotificationChannel(new NotificationChannel(channel, shown, importance));
            notice = new Notification.Builder(this, channel);
        } else {
            notice = new Notification.Builder(this);
        }
        int picture = getResources().getIdentifier("ic_stat_notify", "drawable", getPackageName());
        return notice
            .setSmallIcon(picture == 0 ? getApplicationInfo().icon : picture)
            .setContentIntent(PendingIntent.getActivity(this, 0, opening, PendingIntent.FLAG_IMMUTABLE));
    }

    private Notification.Action actionOf(String action, String label) {
        Intent intent = new Intent(this, MinerService.class).setAction(action);
        PendingIntent pending = PendingIntent.getService(this, 0, intent, PendingIntent.FLAG_IMMUTABLE);
        return new Notification.Action.Builder(null, label, pending).build();
    }

    private NotificationManager notifications() {
        return (NotificationManager) getSystemService(Context.NOTIFICATION_SERVICE);
    }
}
