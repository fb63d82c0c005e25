/** Returns a time of the API as people read it, in UTC to the minute. */
export const timeText = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`
