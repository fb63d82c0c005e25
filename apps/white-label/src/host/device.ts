import { type EngineConfig, vaultNameOf } from '../engine/engine-config.ts'
import type { Conditions } from '../engine/mining-policy.ts'
import type { EngineConnection } from './engine-connection.ts'
import { rememberedAccounts } from './remembered-accounts.ts'

type Battery = EventTarget & { readonly level: number; readonly charging: boolean }
type Connection = EventTarget & { readonly type?: string; readonly saveData?: boolean }
type DeviceNavigator = Navigator & {
  readonly getBattery?: () => Promise<Battery>
  readonly connection?: Connection
}

const device = navigator as DeviceNavigator

type DeviceConditions = Omit<Conditions, 'hasConsent'>

/** Returns the current device conditions; null for those that the browser does not reveal. */
function conditionsNow(battery: Battery | null): DeviceConditions {
  const { connection } = device
  const type = connection?.type
  return {
    isOnline: navigator.onLine,
    isMetered: type === undefined ? null : type === 'cellular' || connection?.saveData === true,
    isCharging: battery === null ? null : battery.charging,
    battery: battery === null ? null : Math.round(battery.level * 100),
  }
}

/** Opens the engine and sends it what it mines by: consent, device conditions and page freezes. */
export function followDevice(
  engine: EngineConnection,
  given: {
    readonly config: EngineConfig
    readonly hasConsent: () => boolean
    /** Subscribes to changes of the consent. */
    readonly subscribe: (listener: () => void) => unknown
  },
): void {
  let battery: Battery | null = null
  const conditions = (): Conditions => ({ ...conditionsNow(battery), hasConsent: given.hasConsent() })
  const tell = (): void => engine.send({ type: 'conditions', conditions: conditions() })
  const asleep = (): void => engine.send({ type: 'asleep' })
  const awake = (): void => {
    engine.send({ type: 'awake' })
    tell()
  }
  const remembered = rememberedAccounts(vaultNameOf(given.config))
  engine.send({ type: 'open', config: given.config, conditions: conditions(), remembered })
  given.subscribe(tell)
  for (const name of ['online', 'offline']) addEventListener(name, tell)
  device.connection?.addEventListener('change', tell)
  // Another tab becomes the leader. A page that comes back never reuses its socket.
  document.addEventListener('freeze', asleep)
  document.addEventListener('resume', awake)
  // WebKit keeps a page that was left, and the worker of such a page keeps the lock of the leading tab: the next page
  // would wait for it for ever.
  addEventListener('pagehide', ({ persisted }) => (persisted ? engine.terminate() : asleep()))
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
  void device.getBattery?.().then((found) => {
    battery = found
    for (const name of ['levelchange', 'chargingchange']) found.addEventListener(name, tell)
    tell()
  })
}
