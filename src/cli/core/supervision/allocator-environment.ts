/**
 * Makes glibc return freed memory to the system: by default its threshold for that grows with the largest block that was ever freed, so that
 * what a start has freed stays with the process for good, some 15 MB of a relay and 20 of a node. With 1 MiB, a busy relay does not ask for
 * what it has just returned. All threads but the main one share an arena, instead of keeping free memory in one each. Read when a process
 * starts; other C libraries ignore it (docs/internals/performance.md#start-and-rest).
 */
export const allocatorEnvironment = { MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' } as const;
