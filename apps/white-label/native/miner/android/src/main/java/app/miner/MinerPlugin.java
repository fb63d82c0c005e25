package app.miner;

import android.annotation.SuppressLint;
import android.app.ActivityManager;
import android.app.ApplicationExitInfo;
import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.net.Uri;
import android.os.Build;
import android.os.Handler;
import android.os.Looper;
import android.os.PowerManager;
import android.provider.Settings;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.WebView;
import com.getcapacitor.JSObject;
import com.getcapacitor.Plugin;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import com.getcapacitor.WebViewListener;
import com.getcapacitor.annotation.CapacitorPlugin;

/** Lets the app start and stop mining with the screen off, and ask for what Android wants for it. */
@CapacitorPlugin(name = "AppMiner")
public class MinerPlugin extends Plugin {

    private static final String[] WORDS = {
        "title", "text", "stop", "pause", "continue", "channel", "stoppedChannel", "reopen", "hidden"
    };

    private final MinerService.Watcher watcher = this::changed;
    private PluginCall beginning;

    @Override
    public void load() {
        MinerService.watch(watcher);
        // After this method the bridge takes the list of listeners that its activity has given it.
        new Handler(Looper.getMainLooper()).post(() -> getBridge().addWebViewListener(new RendererWatch()));
    }

    /**
     * Opens the page of the app anew when the process that draws it is gone. All pages of an app may share one process,
     * so that the death of the service's page is that of this one, and the system ends an app that does not answer it.
     */
    private final class RendererWatch extends WebViewListener {

        @Override
        public boolean onRenderProcessGone(WebView view, RenderProcessGoneDetail detail) {
            getActivity().recreate();
            return true;
        }
    }

    @Override
    protected void handleOnDestroy() {
        MinerService.unwatch(watcher);
    }

    /** Answers what is known about the service and what the system allows it. */
    @PluginMethod
    public void state(PluginCall call) {
        getActivity().runOnUiThread(() -> call.resolve(stateNow()));
    }

    /** Starts the service with the words of its notification. Answers as {@code state} once it runs or was refused. */
    @PluginMethod
    public void begin(PluginCall call) {
        JSObject given = call.getObject("words");
        if (given == null) {
            call.reject("begin needs words.");
            return;
        }
        SharedPreferences.Editor kept = MinerService.words(getContext()).edit();
        for (String name : WORDS) kept.putString(name, given.optString(name));
        kept.apply();
        getActivity().runOnUiThread(() -> {
            if (beginning != null) beginning.reject("Another start came after this one.");
            beginning = call;
            try {
                MinerService.begin(getContext(), call.getString("passphrase"));
            } catch (IllegalStateException | SecurityException refused) {
                changed(false);
            }
        });
    }

    /** Stops mining and ends the service, even if its page no longer answers. */
    @PluginMethod
    public void end(PluginCall call) {
        getActivity().runOnUiThread(() -> {
            MinerService.stopMining();
            call.resolve();
        });
    }

    /** Forgets a stop that no page of the service has confirmed: the app has carried it out. */
    @PluginMethod
    public void confirmStop(PluginCall call) {
        MinerService.words(getContext()).edit().putBoolean("isStopDue", false).apply();
        call.resolve();
    }

    /** Shows the system's question to exempt the app from battery optimisation. */
    @PluginMethod
    @SuppressLint("BatteryLife")
    public void askForExemption(PluginCall call) {
        open(Settings.ACTION_REQUEST_IGNORE_BATTERY_OPTIMIZATIONS, call);
    }

    /** Opens the system's page of this app, where its battery use is set. */
    @PluginMethod
    public void openBatterySettings(PluginCall call) {
        open(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, call);
    }

    private void open(String action, PluginCall call) {
        Uri app = Uri.fromParts("package", getContext().getPackageName(), null);
        // Not every phone has each of the system's pages.
        for (String one : new String[] { action, Settings.ACTION_APPLICATION_DETAILS_SETTINGS })
            try {
                getActivity().startActivity(new Intent(one, app));
                call.resolve();
                return;
            } catch (ActivityNotFoundException missing) {
                // The next one.
            }
        call.reject("This device has no such settings.");
    }

    private void changed(boolean isRunning) {
        JSObject state = stateNow();
        state.put("isRunning", isRunning);
        if (beginning != null) beginning.resolve(state);
        beginning = null;
        notifyListeners("state", state);
    }

    private JSObject stateNow() {
        Context context = getContext();
        SharedPreferences kept = MinerService.words(context);
        JSObject state = new JSObject();
        state.put("isRunning", MinerService.isRunning());
        state.put("isPossible", MinerPage.isPossible());
        state.put("isStopDue", kept.getBoolean("isStopDue", false));
        PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
        state.put("isExempt", power.isIgnoringBatteryOptimizations(context.getPackageName()));
        ActivityManager apps = (ActivityManager) context.getSystemService(Context.ACTIVITY_SERVICE);
        boolean canBeRestricted = Build.VERSION.SDK_INT >= Build.VERSION_CODES.P;
        state.put("isRestricted", canBeRestricted && apps.isBackgroundRestricted());
        long endedAtMs = kept.getLong("beatAtMs", kept.getLong("endedAtMs", 0));
        if (!MinerService.isRunning() && endedAtMs > 0) {
            state.put("endedAtMs", endedAtMs);
            state.put("endedBy", endedBy(apps, endedAtMs));
        }
        return state;
    }

    /** Returns who ended the app after a time, as far as the system says it. */
    private String endedBy(ActivityManager apps, long afterMs) {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.R) return "system";
        String process = getContext().getApplicationInfo().processName;
        ApplicationExitInfo first = null;
        // The newest comes first. The processes that draw pages have records of their own.
        for (ApplicationExitInfo end : apps.getHistoricalProcessExitReasons(getContext().getPackageName(), 0, 0))
            if (process.equals(end.getProcessName()) && end.getTimestamp() >= afterMs) first = end;
        if (first == null) return "system";
        switch (first.getReason()) {
            case ApplicationExitInfo.REASON_USER_REQUESTED:
            case ApplicationExitInfo.REASON_USER_STOPPED:
                return "person";
            case ApplicationExitInfo.REASON_LOW_MEMORY:
                return "memory";
            case ApplicationExitInfo.REASON_CRASH:
            case ApplicationExitInfo.REASON_CRASH_NATIVE:
            case ApplicationExitInfo.REASON_ANR:
                return "crash";
            default:
                return "system";
        }
    }
}
