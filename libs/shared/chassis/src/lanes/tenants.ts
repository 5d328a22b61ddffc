interface OfTenant {
  tenant: string;
}

/** The first entry of each tenant, then the second of each, and so on. */
export function inTurns<Entry extends OfTenant>(entries: Entry[], count: number): Entry[] {
  const tenants = byTenant(entries);
  const taken: Entry[] = [];
  for (let turn = 0; taken.length < count; turn += 1) {
    for (const own of tenants.values()) {
      const entry = own[turn];
      if (entry !== undefined && taken.length < count) taken.push(entry);
    }
  }
  return taken;
}

/** Entries by their tenant, in the order of each tenant's first. */
export function byTenant<Entry extends OfTenant>(entries: Entry[]): Map<string, Entry[]> {
  const tenants = new Map<string, Entry[]>();
  for (const entry of entries) {
    const own = tenants.get(entry.tenant);
    if (own === undefined) tenants.set(entry.tenant, [entry]);
    else own.push(entry);
  }
  return tenants;
}
