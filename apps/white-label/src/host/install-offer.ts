/** Event with which a browser offers to install the app. It can be used once. */
type InstallOffer = Event & { readonly prompt: () => Promise<unknown> }

/** Offer of the browser that was not used yet. It comes before the views that show it are loaded. */
export const installOffer: { current: InstallOffer | null } = { current: null }

addEventListener('beforeinstallprompt', (event) => {
  // The app asks by itself, later.
  event.preventDefault()
  installOffer.current = event as InstallOffer
})

addEventListener('appinstalled', () => {
  installOffer.current = null
})
