/** The variables that git gets from the environment of a gate; no others, and above all no other `GIT_*`. */
export const GIT_VARIABLES: readonly string[] = [
  "PATH",
  "HOME",
  "GIT_INDEX_FILE",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_PREFIX",
  // Without these no program starts on Windows, or git does not find its user's settings there.
  "SystemRoot",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
];
