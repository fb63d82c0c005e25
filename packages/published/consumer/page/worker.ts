import { type Mining, mineOnce } from './mine.ts'

globalThis.onmessage = ({ data }: MessageEvent<Mining>) =>
  void mineOnce(data).then((microblockHash) => globalThis.postMessage(microblockHash))
