package app.miner;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.os.BatteryManager;
import android.os.Build;
import android.os.Handler;
import android.os.PowerManager;
import org.json.JSONException;
import org.json.JSONObject;

/** Watches charge, connection and heat of the device, and says when something has changed. */
final class DeviceWatch {

    private final Context context;
    private final Handler handler;
    private final Runnable changed;
    private final ConnectivityManager connections;
    private final PowerManager power;
    private int charge = -1;
    private boolean isCharging;
    private Object heatListener;

    private final BroadcastReceiver batteryReceiver = new BroadcastReceiver() {
        @Override
        public void onReceive(Context from, Intent intent) {
            read(intent);
        }
    };

    private final ConnectivityManager.NetworkCallback connectionCallback = new ConnectivityManager.NetworkCallback() {
        @Override
        public void onCapabilitiesChanged(Network network, NetworkCapabilities capabilities) {
            tell();
        }

        @Override
        public void onLost(Network network) {
            tell();
        }
    };

    /** @param changed called on the thread of the handler */
    DeviceWatch(Context context, Handler handler, Runnable changed) {
        this.context = context;
        this.handler = handler;
        this.changed = changed;
        connections = (ConnectivityManager) context.getSystemService(Context.CONNECTIVITY_SERVICE);
        power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
    }

    void start() {
        Intent battery = context.registerReceiver(batteryReceiver, new IntentFilter(Intent.ACTION_BATTERY_CHANGED));
        if (battery != null) read(battery);
        connections.registerDefaultNetworkCallback(connectionCallback);
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
            PowerManager.OnThermalStatusChangedListener listener = status -> tell();
            power.addThermalStatusListener(listener);
            heatListener = listener;
        }
    }

    void stop() {
        context.unregisterReceiver(batteryReceiver);
        connections.unregisterNetworkCallback(connectionCallback);
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q && heatListener != null)
            power.removeThermalStatusListener((PowerManager.OnThermalStatusChangedListener) heatListener);
    }

    /** Returns the conditions as the page reads them; without a charge where the device does not say one. */
    JSONObject now(boolean isHeld) throws JSONException {
        NetworkCapabilities network = connections.getNetworkCapabilities(connections.getActiveNetwork());
        JSONObject conditions = new JSONObject()
            .put("type", "conditions")
            .put("isOnline", network != null && network.hasCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET))
            .put("isMetered", connections.isActiveNetworkMetered())
            .put("isHot", isHot())
            .put("isHeld", isHeld);
        return charge < 0 ? conditions : conditions.put("battery", charge).put("isCharging", isCharging);
    }

    private boolean isHot() {
        return Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q
            && power.getCurrentThermalStatus() >= PowerManager.THERMAL_STATUS_SEVERE;
    }

    private void read(Intent battery) {
        int level = battery.getIntExtra(BatteryManager.EXTRA_LEVEL, -1);
        int scale = battery.getIntExtra(BatteryManager.EXTRA_SCALE, 100);
        int next = level < 0 || scale <= 0 ? -1 : Math.round(100f * level / scale);
        boolean isPlugged = battery.getIntExtra(BatteryManager.EXTRA_PLUGGED, 0) != 0;
        // The system repeats itself, for instance when the voltage changes.
        if (next == charge && isPlugged == isCharging) return;
        charge = next;
        isCharging = isPlugged;
        tell();
    }

    private void tell() {
        handler.post(changed);
    }
}
