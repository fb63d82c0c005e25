export { canParseUrl, isLoopbackHost, isPrivateHost } from './hosts.ts'
export { nearestWord } from './nearest-word.ts'
export { wordsOf } from './words-of.ts'
export { type GivenSettings, type SettingKinds, type WrongSetting, wrongSetting } from './wrong-setting.ts'
