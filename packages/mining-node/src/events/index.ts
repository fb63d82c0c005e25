export { events, type NamedEvent } from './iterate-events.ts'
export { waitFor } from './wait-for.ts'
