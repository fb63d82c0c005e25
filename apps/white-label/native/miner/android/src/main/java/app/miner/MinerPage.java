package app.miner;

import android.annotation.SuppressLint;
import android.content.Context;
import android.net.Uri;
import android.view.View;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import androidx.webkit.JavaScriptReplyProxy;
import androidx.webkit.WebMessageCompat;
import androidx.webkit.WebViewAssetLoader;
import androidx.webkit.WebViewCompat;
import androidx.webkit.WebViewFeature;
import com.getcapacitor.CapConfig;
import java.io.IOException;
import java.util.Collections;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The page of the service: the app's own page for mining, in a WebView that is never attached to a window and therefore
 * counts as visible. It goes nowhere else.
 */
final class MinerPage {

    interface Listener {
        void onMessage(JSONObject message);

        void onDied();
    }

    private static final String ORIGIN = "https://localhost";
    private static final String ADDRESS = ORIGIN + "/miner.html";

    private final WebView view;
    private JavaScriptReplyProxy reply;
    private boolean isClosed;

    /** True if the WebView of this phone can talk with the page. */
    static boolean isPossible() {
        return WebViewFeature.isFeatureSupported(WebViewFeature.WEB_MESSAGE_LISTENER);
    }

    @SuppressLint("SetJavaScriptEnabled")
    MinerPage(Context context, Listener listener) {
        view = new WebView(context);
        WebSettings settings = view.getSettings();
        settings.setJavaScriptEnabled(true);
        settings.setDomStorageEnabled(true);
        settings.setAllowFileAccess(false);
        settings.setAllowContentAccess(false);
        // For brands with gateways without encryption, by the same setting as the app's own page.
        if (CapConfig.loadDefault(context).isMixedContentAllowed())
            settings.setMixedContentMode(WebSettings.MIXED_CONTENT_ALWAYS_ALLOW);
        WebViewAssetLoader files = new WebViewAssetLoader.Builder()
            .setDomain("localhost")
            .addPathHandler("/", path -> fileOf(context, path))
            .build();
        view.setWebViewClient(new WebViewClient() {
            @Override
            public WebResourceResponse shouldInterceptRequest(WebView from, WebResourceRequest request) {
                return files.shouldInterceptRequest(request.getUrl());
            }

            @Override
            public boolean shouldOverrideUrlLoading(WebView from, WebResourceRequest request) {
                return !ADDRESS.equals(request.getUrl().toString());
            }

            @Override
            public boolean onRenderProcessGone(WebView from, RenderProcessGoneDetail detail) {
                if (!isClosed) listener.onDied();
                return true;
            }
        });
        WebViewCompat.addWebMessageListener(view, "minerHost", Collections.singleton(ORIGIN),
            (WebView from, WebMessageCompat message, Uri origin, boolean isMainFrame, JavaScriptReplyProxy proxy) -> {
                // What a closed page has sent says nothing about the next one.
                if (isClosed || !isMainFrame || message.getData() == null) return;
                reply = proxy;
                try {
                    listener.onMessage(new JSONObject(message.getData()));
                } catch (JSONException unreadable) {
                    // Only the app's own page can send something here.
                }
            });
        view.loadUrl(ADDRESS);
    }

    void tell(JSONObject message) {
        if (reply != null) reply.postMessage(message.toString());
    }

    /** Tells the view that it is seen, for a WebView that counts it as hidden all the same. */
    void showAsVisible() {
        view.dispatchWindowVisibilityChanged(View.VISIBLE);
    }

    void close() {
        isClosed = true;
        reply = null;
        view.destroy();
    }

    /** Returns a file of the app; none for what the app does not have. */
    private static WebResourceResponse fileOf(Context context, String path) {
        try {
            return new WebResourceResponse(typeOf(path), "utf-8", context.getAssets().open("public/" + path));
        } catch (IOException missing) {
            return new WebResourceResponse("text/plain", "utf-8", 404, "Not Found", Collections.emptyMap(), null);
        }
    }

    private static String typeOf(String path) {
        switch (path.substring(path.lastIndexOf('.') + 1)) {
            case "html":
                return "text/html";
            case "js":
                return "text/javascript";
            case "css":
                return "text/css";
            case "json":
                return "application/json";
            case "svg":
                return "image/svg+xml";
            case "png":
                return "image/png";
            case "wasm":
                return "application/wasm";
            default:
                return "application/octet-stream";
        }
    }
}
