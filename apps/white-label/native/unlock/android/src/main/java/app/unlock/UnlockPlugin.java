package app.unlock;

import android.annotation.TargetApi;
import android.hardware.biometrics.BiometricManager;
import android.hardware.biometrics.BiometricPrompt;
import android.os.Build;
import android.os.CancellationSignal;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import com.getcapacitor.JSObject;
import com.getcapacitor.Plugin;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import com.getcapacitor.annotation.CapacitorPlugin;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.ProviderException;
import java.util.concurrent.Executor;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;

/** Lets the app keep secrets that the device gives after a fingerprint or a face alone. */
@CapacitorPlugin(name = "AppUnlock")
public class UnlockPlugin extends Plugin {

    private static final String KEYSTORE = "AndroidKeyStore";
    /** Beginning of the names of keys in the keystore of this app. */
    private static final String PREFIX = "unlock-";

    private final UnlockRun run = new UnlockRun(new Phone());

    /** Answers what the device lacks; nothing if it can keep a secret. */
    @PluginMethod
    public void state(PluginCall call) {
        String lack = run.lack();
        call.resolve(lack == null ? new JSObject() : new JSObject().put("reason", lack));
    }

    /** Makes a key and asks for its secret. Answers the secret or a reason. */
    @PluginMethod
    public void create(PluginCall call) {
        ask(call, true);
    }

    /** Asks for the secret of a key. Answers the secret or a reason. */
    @PluginMethod
    public void read(PluginCall call) {
        ask(call, false);
    }

    /** Closes the question that is open, if there is one. */
    @PluginMethod
    public void cancel(PluginCall call) {
        getActivity().runOnUiThread(() -> {
            run.cancel();
            call.resolve();
        });
    }

    /** Removes a key. */
    @PluginMethod
    public void forget(PluginCall call) {
        String id = call.getString("id");
        if (id == null) {
            call.reject("forget needs an id.");
            return;
        }
        getActivity().runOnUiThread(() -> {
            run.forget(id);
            call.resolve();
        });
    }

    @Override
    protected void handleOnDestroy() {
        run.cancel();
    }

    private void ask(PluginCall call, boolean isNew) {
        String id = call.getString("id");
        byte[] salt = Hex.bytesOf(call.getString("salt", ""));
        UnlockRun.Words words = new UnlockRun.Words(call.getString("title", ""), call.getString("cancel", ""));
        // The system shows no question without words.
        if (id == null || salt == null || salt.length == 0 || words.title.isEmpty() || words.cancel.isEmpty()) {
            call.reject("A secret needs an id, a salt in hexadecimal digits, title and cancel.");
            return;
        }
        UnlockRun.Answer answer = new UnlockRun.Answer() {
            @Override
            public void give(byte[] secret) {
                call.resolve(new JSObject().put("secret", Hex.textOf(secret)));
            }

            @Override
            public void refuse(String reason) {
                call.resolve(new JSObject().put("reason", reason));
            }
        };
        getActivity().runOnUiThread(() -> {
            if (isNew) run.create(id, salt, words, answer);
            else run.read(id, salt, words, answer);
        });
    }

    /** The system's biometrics and keystore. The decisions call it on Android 11 and later alone. */
    @TargetApi(Build.VERSION_CODES.R)
    private final class Phone implements UnlockRun.Device {

        private CancellationSignal asking;

        @Override
        public int level() {
            return Build.VERSION.SDK_INT;
        }

        @Override
        public int biometrics() {
            BiometricManager manager = getContext().getSystemService(BiometricManager.class);
            if (manager == null) return UnlockRun.NO_HARDWARE;
            return manager.canAuthenticate(BiometricManager.Authenticators.BIOMETRIC_STRONG);
        }

        @Override
        public void makeKey(String id) throws GeneralSecurityException {
            KeyGenerator maker = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_HMAC_SHA256, KEYSTORE);
            maker.init(
                new KeyGenParameterSpec.Builder(PREFIX + id, KeyProperties.PURPOSE_SIGN)
                    .setUserAuthenticationRequired(true)
                    // Zero seconds: each use of the key takes a fingerprint or face of its own.
                    .setUserAuthenticationParameters(0, KeyProperties.AUTH_BIOMETRIC_STRONG)
                    .setInvalidatedByBiometricEnrollment(true)
                    .build()
            );
            maker.generateKey();
        }

        @Override
        public void removeKey(String id) {
            try {
                keys().deleteEntry(PREFIX + id);
            } catch (GeneralSecurityException | ProviderException failed) {
                // It opens nothing any more: the app has removed what it opened.
            }
        }

        @Override
        public Mac macOf(String id) throws GeneralSecurityException {
            Key key = keys().getKey(PREFIX + id, null);
            if (key == null) return null;
            Mac mac = Mac.getInstance(KeyProperties.KEY_ALGORITHM_HMAC_SHA256);
            mac.init(key);
            return mac;
        }

        @Override
        public void ask(UnlockRun.Question question) {
            Executor main = getContext().getMainExecutor();
            asking = new CancellationSignal();
            new BiometricPrompt.Builder(getActivity())
                .setTitle(question.words.title)
                .setAllowedAuthenticators(BiometricManager.Authenticators.BIOMETRIC_STRONG)
                .setNegativeButton(question.words.cancel, main, (dialog, which) -> question.fail(UnlockRun.USER_CANCELED))
                .build()
                .authenticate(new BiometricPrompt.CryptoObject(question.mac), asking, main, new Listener(question));
        }

        @Override
        public void dismiss() {
            asking.cancel();
        }

        private KeyStore keys() throws GeneralSecurityException {
            KeyStore keys = KeyStore.getInstance(KEYSTORE);
            try {
                keys.load(null);
            } catch (IOException failed) {
                throw new GeneralSecurityException(failed);
            }
            return keys;
        }
    }

    /** Passes the result of the system's dialog on. A finger that is not recognised ends nothing: the system asks again. */
    @TargetApi(Build.VERSION_CODES.R)
    private static final class Listener extends BiometricPrompt.AuthenticationCallback {

        private final UnlockRun.Question question;

        Listener(UnlockRun.Question question) {
            this.question = question;
        }

        @Override
        public void onAuthenticationSucceeded(BiometricPrompt.AuthenticationResult result) {
            question.succeed();
        }

        @Override
        public void onAuthenticationError(int code, CharSequence text) {
            question.fail(code);
        }
    }
}
