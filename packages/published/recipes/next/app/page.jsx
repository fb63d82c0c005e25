import { Miner } from './miner.jsx'

export default function Page() {
  return <Miner />
}
