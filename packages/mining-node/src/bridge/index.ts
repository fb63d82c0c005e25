export {
  type BridgeLimits,
  type BridgeSettings,
  defaultBridgeLimits,
} from './bridge-settings.ts'
export { type Bridge, type BridgeHealth, createBridge } from './create-bridge.ts'
