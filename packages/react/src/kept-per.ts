/** Caches a value per object and name. The value is dropped with the object. */
export function keptPer<K extends object, V>(): (owner: K, name: string, make: () => V) => V {
  const kept = new WeakMap<K, Map<string, V>>()
  return (owner, name, make) => {
    const ofOwner = kept.get(owner) ?? new Map<string, V>()
    kept.set(owner, ofOwner)
    const found = ofOwner.get(name)
    if (found !== undefined) return found
    const made = make()
    ofOwner.set(name, made)
    return made
  }
}
