package app.device;

import android.Manifest;
import android.app.Activity;
import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.Build;
import android.provider.Settings;
import android.view.WindowManager;
import androidx.activity.result.ActivityResult;
import com.getcapacitor.JSObject;
import com.getcapacitor.PermissionState;
import com.getcapacitor.Plugin;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import com.getcapacitor.annotation.ActivityCallback;
import com.getcapacitor.annotation.CapacitorPlugin;
import com.getcapacitor.annotation.Permission;
import com.getcapacitor.annotation.PermissionCallback;
import java.io.IOException;
import java.io.OutputStream;

/** Offers the app what a WebView lacks: files that are saved, notifications, and a screen that nobody copies. */
@CapacitorPlugin(
    name = "AppDevice",
    permissions = @Permission(alias = DevicePlugin.NOTIFICATIONS, strings = Manifest.permission.POST_NOTIFICATIONS)
)
public class DevicePlugin extends Plugin {

    static final String NOTIFICATIONS = "notifications";
    private static final String CHANNEL = "stopped";

    /** Asks for a place and writes a text there. Answers {@code isSaved: false} if the person chose none. */
    @PluginMethod
    public void saveText(PluginCall call) {
        String name = call.getString("name");
        String type = call.getString("type");
        String text = call.getString("text");
        if (name == null || type == null || text == null) {
            call.reject("saveText needs name, type and text.");
            return;
        }
        try {
            call.getData().put("held", HeldText.hold(getContext().getCacheDir(), text));
        } catch (IOException failed) {
            call.reject("The file was not saved: " + failed.getMessage());
            return;
        }
        // The system keeps the call while the person chooses.
        call.getData().remove("text");
        Intent intent = new Intent(Intent.ACTION_CREATE_DOCUMENT);
        intent.addCategory(Intent.CATEGORY_OPENABLE);
        intent.setType(type);
        intent.putExtra(Intent.EXTRA_TITLE, name);
        try {
            startActivityForResult(call, intent, "placeChosen");
        } catch (ActivityNotFoundException none) {
            HeldText.clear(getContext().getCacheDir());
            call.reject("This device has no app that saves files.");
        }
    }

    @ActivityCallback
    private void placeChosen(PluginCall call, ActivityResult result) {
        // The system may have ended the app while the person chose.
        if (call != null) save(call, result);
        HeldText.clear(getContext().getCacheDir());
    }

    private void save(PluginCall call, ActivityResult result) {
        Uri place = result.getData() == null ? null : result.getData().getData();
        if (result.getResultCode() != Activity.RESULT_OK || place == null) {
            call.resolve(new JSObject().put("isSaved", false));
            return;
        }
        // "wt" cuts a longer file that is replaced.
        try (OutputStream out = getContext().getContentResolver().openOutputStream(place, "wt")) {
            if (out == null) throw new IOException("The place cannot be written.");
            HeldText.copy(getContext().getCacheDir(), call.getString("held", ""), out);
            call.resolve(new JSObject().put("isSaved", true));
        } catch (IOException | SecurityException failed) {
            call.reject("The file was not saved: " + failed.getMessage());
        }
    }

    /** Asks once for notifications where the system wants that, and answers if they are shown. */
    @PluginMethod
    public void askToNotify(PluginCall call) {
        boolean isAsked = Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU;
        if (isAsked && getPermissionState(NOTIFICATIONS) != PermissionState.GRANTED)
            requestPermissionForAlias(NOTIFICATIONS, call, "asked");
        else asked(call);
    }

    @PermissionCallback
    private void asked(PluginCall call) {
        call.resolve(new JSObject().put("isAllowed", notifications().areNotificationsEnabled()));
    }

    /** Shows a notification that opens the app. A later one takes its place. */
    @PluginMethod
    // The old builder is for Android 7, which has no channels.
    @SuppressWarnings("deprecation")
    public void showNotification(PluginCall call) {
        Context context = getContext();
        Intent opening = context.getPackageManager().getLaunchIntentForPackage(context.getPackageName());
        PendingIntent opened = PendingIntent.getActivity(context, 0, opening, PendingIntent.FLAG_IMMUTABLE);
        Notification.Builder notice;
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O) {
            String name = call.getString("channel", "");
            NotificationChannel channel = new NotificationChannel(CHANNEL, name, NotificationManager.IMPORTANCE_DEFAULT);
            notifications().createNotificationChannel(channel);
            notice = new Notification.Builder(context, CHANNEL);
        } else {
            notice = new Notification.Builder(context);
        }
        int picture = context.getResources().getIdentifier("ic_stat_notify", "drawable", context.getPackageName());
        notice.setSmallIcon(picture == 0 ? context.getApplicationInfo().icon : picture);
        notice.setContentTitle(call.getString("title", ""));
        notice.setContentText(call.getString("text", ""));
        notice.setContentIntent(opened);
        notice.setAutoCancel(true);
        notifications().notify(CHANNEL, 1, notice.build());
        call.resolve();
    }

    /** Hides the screen from screenshots and from the list of open apps, or shows it again. */
    @PluginMethod
    public void hideScreen(PluginCall call) {
        boolean isHidden = Boolean.TRUE.equals(call.getBoolean("isHidden"));
        Activity activity = getActivity();
        activity.runOnUiThread(() -> {
            if (isHidden) activity.getWindow().addFlags(WindowManager.LayoutParams.FLAG_SECURE);
            else activity.getWindow().clearFlags(WindowManager.LayoutParams.FLAG_SECURE);
            call.resolve();
        });
    }

    /** Opens the system's settings of this app, where a refused permission is given. */
    @PluginMethod
    public void openSettings(PluginCall call) {
        Uri app = Uri.fromParts("package", getContext().getPackageName(), null);
        try {
            getActivity().startActivity(new Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, app));
            call.resolve();
        } catch (ActivityNotFoundException none) {
            call.reject("This device has no such settings.");
        }
    }

    private NotificationManager notifications() {
        return (NotificationManager) getContext().getSystemService(Context.NOTIFICATION_SERVICE);
    }
}
