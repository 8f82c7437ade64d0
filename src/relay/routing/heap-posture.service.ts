import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HeapPostureSwitch } from '../platform/lifecycle/heap-posture.js';
import { RoutingService } from './routing.service.js';

const LOOK_MS = 1_000;
const QUIET_LOOKS_UNTIL_SMALL = 10;

/** Tells the heap once a second whether there are requests to serve. */
@Injectable()
export class HeapPostureService implements OnModuleInit, OnApplicationShutdown {
  private readonly posture = new HeapPostureSwitch(QUIET_LOOKS_UNTIL_SMALL);
  private timer: NodeJS.Timeout | undefined;
  private acceptedBefore = 0;

  constructor(private readonly routing: RoutingService) {}

  onModuleInit(): void {
    this.timer = setInterval(() => {
      this.look();
    }, LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const { accepted, running } = this.routing.workload;
    this.posture.look(accepted - this.acceptedBefore + running);
    this.acceptedBefore = accepted;
  }
}
