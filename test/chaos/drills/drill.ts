import type { Deployment } from '../support/deployment';
import type { Instance } from '../support/instance';

/** A running system that faults are injected into. */
export interface Ground {
  deployment: Deployment;
  /** A second process of transactions, or of what the faults are about, beside the supervisor's. */
  second: Instance;
  /** Where orders are sent, in place of the gateway itself. */
  baseUrl?: string;
  /** Other processes of it. */
  dispose(): Promise<void>;
}

/** What an ended fault leaves behind, where it is more than failed requests. */
export interface Aftermath {
  /** Orders that were answered in this time may be lost, and SMS of this time be sent again; in milliseconds. */
  forgotten?: { from: number; to: number };
  /** Figures, for a person. */
  measured?: string[];
}

export interface Fault {
  /** How long the fault lasts; 0 where it ends by itself. */
  faultMs: number;
  /** The alert that would fire if it lasted, by its page in docs/operations. */
  runbook: string;
  /**
   * How soon after its beginning everything works again, in milliseconds: no order that is sent later fails, and no
   * time without an SMS is longer.
   */
  worksAgain?: { orders: number; sms: number };
  /** @returns ends the fault */
  inflict: (ground: Ground) => Promise<() => Promise<Aftermath | void>>;
}

/** Faults that are injected one after the other into one system. */
export interface Drills {
  open: () => Promise<Ground>;
  /** By their names in docs/operations/drills.md. */
  faults: Record<string, Fault>;
  /** Mounts something or drops packets, so the whole run has namespaces of its own and needs root. */
  isolated?: boolean;
}
