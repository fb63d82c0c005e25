/** The parts of Capacitor's bridge that this app uses. In a package it is there before the first script runs. */
export type NativeBridge = {
  readonly nativePromise: (plugin: string, method: string, options?: object) => Promise<unknown>
  readonly addListener: (plugin: string, event: string, listener: (given: never) => void) => unknown
}

/** Returns the bridge of a package for Android or iOS; undefined in a browser. */
export function nativeBridge(): NativeBridge | undefined {
  const native = (globalThis as { readonly Capacitor?: Partial<NativeBridge> }).Capacitor
  return native?.nativePromise && native.addListener ? (native as NativeBridge) : undefined
}

/** True in a package for Android or iOS. */
export const isPackage = (): boolean => nativeBridge() !== undefined
