package dev.ron.proof.code;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds in a class file what only the kernel may do: lock, start threads, queue without a bound. */
final class Rules {
    private static final Set<String> UNBOUNDED = Set.of(
            "java/util/concurrent/LinkedBlockingQueue",
            "java/util/concurrent/LinkedBlockingDeque",
            "java/util/concurrent/LinkedTransferQueue",
            "java/util/concurrent/ConcurrentLinkedQueue",
            "java/util/concurrent/ConcurrentLinkedDeque",
            "java/util/concurrent/PriorityBlockingQueue",
            "java/util/concurrent/DelayQueue");
    private static final Set<String> STARTS =
            Set.of("start", "startVirtualThread", "ofVirtual", "ofPlatform", "<init>");

    private Rules() {}

    /** One breach: the class, and what it does. */
    record Breach(String type, String what) {}

    static List<Breach> check(byte[] classFile) {
        ClassModel model = ClassFile.of().parse(classFile);
        String name = model.thisClass().asInternalName().replace('/', '.');
        List<Breach> found = new ArrayList<>();
        for (MethodModel method : model.methods()) {
            if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
                found.add(new Breach(name, "synchronized method"));
            }
            method.code()
                    .ifPresent(code -> code.forEach(element -> {
                        String what = breach(element);
                        if (what != null) {
                            found.add(new Breach(name, what));
                        }
                    }));
        }
        return found.stream().distinct().toList();
    }

    private static @Nullable String breach(CodeElement element) {
        return switch (element) {
            case MonitorInstruction monitor when monitor.opcode() == Opcode.MONITORENTER -> "monitorenter";
            case NewObjectInstruction made -> type(made.className().asInternalName());
            case FieldInstruction field -> type(field.owner().asInternalName());
            case InvokeInstruction call ->
                call(
                        call.owner().asInternalName(),
                        call.name().stringValue(),
                        call.typeSymbol().descriptorString());
            case InvokeDynamicInstruction indirect -> reference(indirect);
            default -> null;
        };
    }

    /** A method reference such as {@code Thread::start} calls it as well. */
    private static @Nullable String reference(InvokeDynamicInstruction indirect) {
        for (Object argument : indirect.bootstrapArgs()) {
            if (argument instanceof DirectMethodHandleDesc handle) {
                String owner = handle.owner().descriptorString();
                if (owner.startsWith("L")) {
                    String what = call(
                            owner.substring(1, owner.length() - 1), handle.methodName(), handle.lookupDescriptor());
                    if (what != null) {
                        return what;
                    }
                }
            }
        }
        return null;
    }

    private static @Nullable String call(String owner, String name, String descriptor) {
        if (owner.equals("java/lang/Thread") && STARTS.contains(name)) {
            return "Thread." + name;
        }
        if (owner.startsWith("java/lang/Thread$Builder")) {
            return "Thread.Builder." + name;
        }
        if (owner.equals("java/util/concurrent/Executors")) {
            return "Executors." + name;
        }
        if (owner.equals("java/util/concurrent/CompletableFuture")
                && name.endsWith("Async")
                && !descriptor.contains("Ljava/util/concurrent/Executor;")) {
            return "CompletableFuture." + name + " without an executor";
        }
        return type(owner);
    }

    private static @Nullable String type(String owner) {
        if (owner.startsWith("java/util/concurrent/locks/")) {
            return "raw lock " + owner.substring(owner.lastIndexOf('/') + 1);
        }
        if (UNBOUNDED.contains(owner)) {
            return "unbounded queue " + owner.substring(owner.lastIndexOf('/') + 1);
        }
        if (owner.equals("java/util/Timer")) {
            return "Timer";
        }
        return owner.equals("java/util/concurrent/ForkJoinPool")
                        || owner.equals("java/util/concurrent/ThreadPoolExecutor")
                        || owner.equals("java/util/concurrent/ScheduledThreadPoolExecutor")
                ? "pool " + owner.substring(owner.lastIndexOf('/') + 1)
                : null;
    }
}
