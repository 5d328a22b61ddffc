import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Logger } from '@fiado/chassis/logger';
import { Loop } from '@fiado/chassis/loop';
import {
  MAX_REFUSED_CALLERS,
  refusedCredentialsCall,
  type RefusedCaller,
  type RefusedCredentials,
} from '@fiado/contracts/credential';

/** The audit log takes one entry a minute for each caller. */
const REPORT_EVERY_MS = 60_000;
/** Callers kept between two reports, some 200 bytes each. The log contains all of them. */
const MAX_REMEMBERED = 10_000;

/** Callers that got a 401 since the last report to accounts, for the audit log. */
export class RefusedCallers {
  private counted = new Map<string, RefusedCaller>();

  constructor(
    private readonly accounts: InternalClient,
    private readonly log: Logger,
  ) {}

  /**
   * @param address of the caller: IPv4, or the /64 of IPv6
   * @param keyId of the key, where accounts knows it
   */
  add({ address, keyId, count }: RefusedCaller): void {
    const name = `${address} ${keyId ?? ''}`;
    const known = this.counted.get(name);
    if (known !== undefined) {
      known.count += count;
    } else if (this.counted.size < MAX_REMEMBERED) {
      this.counted.set(name, { address, count, ...(keyId === undefined ? {} : { keyId }) });
    }
  }

  /** Reports at intervals. Its owner calls for the last report. */
  createLoop(): Loop {
    return new Loop(this.log, {
      name: 'report refused credentials',
      everyMs: REPORT_EVERY_MS,
      round: () => this.report(),
    });
  }

  /** @throws AppError when accounts cannot be reached; the next report includes it */
  async report(): Promise<void> {
    const callers = [...this.counted.values()];
    if (callers.length === 0) return;
    this.counted = new Map();
    // A flood of unknown keys from many addresses must not hide the use of a revoked one.
    const known = callers.filter(({ keyId }) => keyId !== undefined);
    const unknown = callers.filter(({ keyId }) => keyId === undefined);
    const report: RefusedCredentials = {
      callers: [...known, ...unknown].slice(0, MAX_REFUSED_CALLERS),
    };
    try {
      await this.accounts.tell(refusedCredentialsCall, report);
    } catch (error) {
      for (const caller of report.callers) this.add(caller);
      throw error;
    }
  }
}
