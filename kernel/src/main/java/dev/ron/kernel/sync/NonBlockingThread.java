package dev.ron.kernel.sync;

/** Marks a thread that moves bytes and must never wait, such as an event loop. */
public interface NonBlockingThread {}
